// Kernels by what they compute: one kernel for all tensors with equal keys (tensor/key.h).
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
  std::vector<std::string> names;  // in messages: of the key's symbols, then of the arguments
  std::string schedule = {};       // how it is scheduled, for people
};

enum class Source { compiled, stored };

// Keeps the kernels that were used last. Threads may ask at the same time: for equal keys one
// thread makes the kernel, and the others wait for it.
class KernelCache {
 public:
  using Make = std::function<std::pair<SharedKernel, Source>()>;
  explicit KernelCache(std::size_t most) : most_(most) {}

  // Throws what "make" throws. Then the next call makes the kernel again.
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
  mutable std::mutex mutex_;  // guards the members below
  std::map<std::string, Slot> places_;
  std::list<const std::string*> uses_;  // the keys in "places_", the most recent use first
  KernelCounts counts_;
};

// The kernel that computes the tensors from the given ones, from this process's cache. The tensors
// are its arguments, in this order. If its schedule makes too much code or work, it is compiled
// without a schedule. Errors: those of create_function and Function::jit.
std::shared_ptr<const SharedKernel> shared_kernel(const Key& key,
                                                  const std::vector<Tensor>& tensors,
                                                  const std::vector<Tensor>& given,
                                                  const CompileOptions& options,
                                                  const Where& where);

// The Function of a kernel that shared_kernel made of the same, scheduled again in the same way,
// for this CPU or another one.
TensorFunction scheduled_function(const SharedKernel& kernel, const std::vector<Tensor>& tensors,
                                  const std::vector<Tensor>& given, const CompileOptions& options,
                                  const ScheduleFor& made_for, const Where& where);

}  // namespace strata::graph
