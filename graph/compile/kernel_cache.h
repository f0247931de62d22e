// Kernels by what they compute: one for all tensors of an equal key (tensor/key.h).
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "graph/compile/compile.h"
#include "graph/tensor/key.h"
#include "strata/strata.h"

namespace strata::graph {

// A kernel, whatever its tensors and symbols are called.
struct SharedKernel {
  JitFunction code;
  std::vector<Expr> parameters;  // dims over symbols called by their places in the key: s0, s1, ..
  std::vector<std::string> names;  // what its messages call the key's symbols, then the arguments
  std::string schedule = {};       // how it is scheduled, for people
};

enum class Source { compiled, stored };

// Those that were used last. Threads may ask at the same time: for equal keys one of them makes
// the kernel, and the others wait for it.
class KernelCache {
 public:
  using Make = std::function<std::pair<SharedKernel, Source>()>;
  explicit KernelCache(std::size_t most) : most_(most) {}

  // What "make" throws is thrown; the next one who asks makes it again.
  std::shared_ptr<const SharedKernel> find_or_make(const std::string& key, const Make& make);
  KernelCounts counts() const;

 private:
  struct Entry {
    std::mutex making;
    std::shared_ptr<const SharedKernel> kernel;
  };
  struct Slot {
    std::shared_ptr<Entry> entry;
    std::list<const std::string*>::iterator use;
  };
  std::shared_ptr<Entry> entry_of(const std::string& key);
  void count(std::int64_t KernelCounts::* which);

  std::size_t most_;
  mutable std::mutex mutex_;  // for what follows
  std::map<std::string, Slot> places_;
  std::list<const std::string*> uses_;  // the keys in "places_", the last used first
  KernelCounts counts_;
};

// The kernel that computes the tensors from the given ones, in the order in which they are its
// arguments: of this process's cache. One that cannot be compiled as it is scheduled, because it
// is too much code or work, is not scheduled. Errors: as create_function and Function::jit.
std::shared_ptr<const SharedKernel> shared_kernel(const Key& key,
                                                  const std::vector<Tensor>& tensors,
                                                  const std::vector<Tensor>& given,
                                                  const CompileOptions& options,
                                                  const Where& where);

}  // namespace strata::graph
