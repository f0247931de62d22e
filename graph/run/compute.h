// Operators and kernels on arrays.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/compile/compile.h"
#include "graph/ir/module.h"
#include "graph/run/run.h"

namespace strata::graph {

// A kernel as it is compiled.
struct CompiledKernel {
  TensorKernel kernel;
  CompiledTensors tensors;
  std::string why_constant = {};  // why extents that could be parameters are constants

  std::string why() const;  // as CompiledTensors::why
  // The arrays of the kernel's inputs in the order of the tensors' arguments; symbols get the
  // values that extents give. E0602 as for match.
  std::vector<NDArray> arguments(const std::vector<NDArray>& inputs, SymbolValues& symbols,
                                 const Where& where) const;
};
// Symbols get the values that the extents of the inputs' arrays give. E0602 as for match.
std::vector<Argument> matched(const TensorKernel& kernel, const std::vector<NDArray>& inputs,
                              SymbolValues& symbols, const Where& where);
// act(0), .., act(count - 1), on all processors. Throws the first error after all have ended.
void side_by_side(std::size_t count, const std::function<void(std::size_t)>& act);
// The kernel of "parametric". If parameters are in the way, for example of a proof that indices are
// in bounds, the kernel of "given", which computes the same. The sizes in the options are those of
// symbols of "given". Errors: those of "given".
CompiledKernel compiled_kernel(const TensorKernel& given, const TensorKernel& parametric,
                               const CompileOptions& options, const Where& where);

// Computes in one way, and keeps compiled kernels as long as it lives. Extents are parameters of
// the kernels (fuse/parametric.h). Only an operator or group of constant extents with more
// operations than "most_shared" keeps its extents as constants.
class Computing {
 public:
  explicit Computing(RunBy by, double most_shared = std::numeric_limits<double>::infinity())
      : by_(by), most_shared_(most_shared) {}

  // Values that symbols of these names probably have: they guide schedules.
  void expect(const SymbolValues& sizes) { likely_ = sizes; }

  // The results of an operator on arrays. "types" are the types that the program knows, and
  // "symbols" the values of their symbols. If the types do not say enough, the extents of the
  // arrays do.
  std::vector<NDArray> operator()(const OperatorCall& call, const std::vector<ValueType>& types,
                                  const std::vector<NDArray>& arrays, const SymbolValues& symbols,
                                  const Where& where);
  std::vector<NDArray> operator()(const TensorKernel& kernel, const std::vector<NDArray>& arrays,
                                  const SymbolValues& integers, const Where& where);
  // The results of a primitive function (fuse/primitive.h).
  std::vector<NDArray> operator()(const GraphFunction& primitive,
                                  const std::vector<NDArray>& arrays, const SymbolValues& integers,
                                  const Where& where);

  // Compiles in parallel what a run of the function calls outside of branches, on tensors of known
  // extents. A refusal here is dropped: the call will be refused again.
  void compile_ahead(const Module& module, const GraphFunction& function);

 private:
  struct Computation {
    std::string name;         // for messages
    TensorKernel given;       // as in the program
    TensorKernel parametric;  // the same, or one with more parameters
    std::optional<CompiledKernel> compiled = {};
  };
  // The operator on tensors of these types.
  std::shared_ptr<Computation> made(const OperatorCall& call, const std::vector<ValueType>& types,
                                    const Attributes& attributes, const Where& where);
  Computation& made(const TensorKernel& kernel);
  Computation& made(const GraphFunction& primitive);
  std::vector<NDArray> run(Computation& c, const std::vector<NDArray>& arrays,
                           const SymbolValues& symbols, const Where& where) const;
  void compile(Computation& c, const Where& where) const;
  void compile_all(const std::vector<Computation*>& wanted, const Where& where) const;

  RunBy by_;
  double most_shared_;
  SymbolValues likely_ = {};
  std::map<std::string, std::shared_ptr<Computation>> operators_;  // by name, attributes and types
  std::map<const void*, Computation> kernels_;  // of kernels and primitive functions
};

}  // namespace strata::graph
