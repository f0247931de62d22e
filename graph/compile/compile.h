// Tensors compiled for this process.
#pragma once

#include <memory>
#include <vector>

#include "graph/evaluate/match.h"

namespace strata::graph {

// Kernels that compute tensors from their placeholders, for arrays of all extents.
class CompiledTensors {
 public:
  // The placeholders, in the order of the arguments.
  const std::vector<Tensor>& arguments() const;
  // "symbols" gives the values of symbols that no argument has as an extent by itself. A view
  // shares the memory of the array that it is a view of, also where that is an argument or another
  // result. Errors: E0602 an argument does not fit, E0113 an index computed from data is out of
  // bounds.
  std::vector<NDArray> operator()(const std::vector<NDArray>& arguments,
                                  const SymbolValues& symbols = {},
                                  const Where& where = Where::here()) const;

 private:
  friend CompiledTensors compile(const std::vector<Tensor>&, const Where&);
  struct Plan;
  std::shared_ptr<const Plan> plan_;
};

// Computations between external functions and views are one kernel; a view of an array is made
// without one. Kernels that compute the same (tensor/key.h) are one, compiled once, also in
// several threads: this process keeps those used last, "most_kernels" of them. Where the
// environment variable STRATA_CACHE names a folder, they are also kept there, for later processes;
// the code in it is executed, so only its user may be able to write there. Errors: as
// create_function (compile/function.h) and Function::jit; E0503.
CompiledTensors compile(const std::vector<Tensor>& tensors, const Where& where = Where::here());

constexpr std::size_t most_kernels = 512;

// How often a kernel was compiled in this process, found there, and found on disk.
struct KernelCounts {
  std::int64_t compiled = 0, shared = 0, stored = 0;
};
KernelCounts kernel_counts();

}  // namespace strata::graph
