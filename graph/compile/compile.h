// Tensors compiled for this process.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "graph/evaluate/match.h"

namespace strata::graph {

struct CompileOptions {
  std::string name = {};        // of the tensors together, for messages
  std::int64_t code_limit = 0;  // as Function::set_code_limit; 0: the default
  std::int64_t budget = 0;      // as Function::set_budget
  // Likely values of symbols. Those of the first of equal tensors guide the schedule.
  SymbolValues sizes = {};
};

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
  // The same, into these arrays, one for each result, which share no memory with each other or with
  // the arguments. E0602 also if one of them does not fit.
  void write(const std::vector<NDArray>& arguments, const std::vector<NDArray>& results,
             const SymbolValues& symbols = {}, const Where& where = Where::here()) const;
  // For people: what each kernel computes, where it computes each tensor or why it is not
  // scheduled, with what was refused, and why there is more than one kernel. The names of tensors
  // are those for which the kernel was compiled.
  std::string why() const;

 private:
  friend CompiledTensors compile(const std::vector<Tensor>&, const CompileOptions&, const Where&);
  std::vector<NDArray> run(const std::vector<NDArray>& arguments,
                           const std::vector<NDArray>& results, const SymbolValues& symbols,
                           const Where& where) const;
  struct Plan;
  std::shared_ptr<const Plan> plan_;
};

// Computations between external functions and views are one kernel; a view of an array is made
// without one. Kernels that compute the same (tensor/key.h) are one, compiled once, also in
// several threads: this process keeps those used last, "most_kernels" of them. Where the
// environment variable STRATA_CACHE names a folder, they are also kept there, for later processes;
// the code in it is executed, so only its user may be able to write there.
//
// What is too much code or work for one kernel (E0901, E0903) is compiled as it is written, without
// a schedule, or by several kernels. Errors: as create_function (compile/function.h) and
// Function::jit, for a tensor by itself; E0503.
CompiledTensors compile(const std::vector<Tensor>& tensors, const CompileOptions& options,
                        const Where& where = Where::here());
inline CompiledTensors compile(const std::vector<Tensor>& tensors,
                               const Where& where = Where::here()) {
  return compile(tensors, {}, where);
}

constexpr std::size_t most_kernels = 512;

// How often a kernel was compiled in this process, found there, and found on disk.
struct KernelCounts {
  std::int64_t compiled = 0, shared = 0, stored = 0;
};
KernelCounts kernel_counts();

}  // namespace strata::graph
