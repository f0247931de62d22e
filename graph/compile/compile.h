// Tensors compiled for this process.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "graph/compile/function.h"
#include "graph/evaluate/match.h"

namespace strata::graph {

struct CompileOptions {
  std::string name = {};        // of all the tensors together, for messages
  std::int64_t code_limit = 0;  // as Function::set_code_limit; 0: the default
  std::int64_t budget = 0;      // as Function::set_budget
  // Likely values of symbols. They guide the schedule. Of equal kernels, the first one's values
  // count.
  SymbolValues sizes = {};
};

// How a Function of a kernel is called, and the CPU that it is scheduled for.
struct ScheduleFor {
  Machine machine = strata::machine();
  std::string name = "kernel";
};

// What a run of compiled tensors does: it calls a kernel, or views an array.
struct TensorStep {
  const void* kernel = nullptr;  // equal for steps that share their kernel; null for a view
  std::vector<Tensor> inputs, outputs;
  std::vector<Expr> parameters = {};  // the values of the kernel's parameters
};

// Kernels that compute tensors from their placeholders, for arrays of all extents.
class CompiledTensors {
 public:
  // The placeholders, in the order of the arguments.
  const std::vector<Tensor>& arguments() const;
  // "symbols" gives the values of symbols that are not by themselves an extent of an argument. A
  // view shares the memory of the array that it views, even if that array is an argument or another
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
  // The Functions of the kernels, in the order in which they run, scheduled as the kernels are.
  std::vector<TensorFunction> functions(const Where& where = Where::here()) const;

  // The tensors that are computed, and the steps of a run, in order. Results that are views of
  // arguments, or equal to others, need no memory of their own.
  const std::vector<Tensor>& results() const;
  std::vector<TensorStep> steps() const;
  // The Function of the kernel of a step. Its parameters have the values TensorStep::parameters, in
  // an order of their own.
  TensorFunction function(std::size_t step, const ScheduleFor& made_for,
                          const Where& where = Where::here()) const;

 private:
  friend CompiledTensors compile(const std::vector<Tensor>&, const CompileOptions&, const Where&);
  std::vector<NDArray> run(const std::vector<NDArray>& arguments,
                           const std::vector<NDArray>& results, const SymbolValues& symbols,
                           const Where& where) const;
  struct Plan;
  std::shared_ptr<const Plan> plan_;
};

// Computations between external functions and views form one kernel. A view of an array needs no
// kernel. Kernels that compute the same (tensor/key.h) are compiled once, even if several threads
// ask. This process keeps the "most_kernels" kernels that were used last. If the environment
// variable STRATA_CACHE names a folder, kernels are also kept there, for later processes. They run
// the code in it, so only its user may be able to write there.
//
// If the tensors are too much code or work for one kernel (E0901, E0903), they are compiled as they
// are written, without a schedule, or as several kernels. Errors: those of create_function
// (compile/function.h) and Function::jit, for a single tensor; E0503.
CompiledTensors compile(const std::vector<Tensor>& tensors, const CompileOptions& options,
                        const Where& where = Where::here());
inline CompiledTensors compile(const std::vector<Tensor>& tensors,
                               const Where& where = Where::here()) {
  return compile(tensors, {}, where);
}

constexpr std::size_t most_kernels = 512;

// How often this process compiled a kernel, found it in memory, and found it on disk.
struct KernelCounts {
  std::int64_t compiled = 0, shared = 0, stored = 0;
};
KernelCounts kernel_counts();

}  // namespace strata::graph
