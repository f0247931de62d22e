// Modules: graph functions, kernels and packed functions by name.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "graph/ir/value.h"
#include "graph/tensor/tensor.h"

namespace strata::graph {

struct GraphFunction {
  std::string name;
  Values parameters;  // variables
  Body body;
  ValueType result;
  Attributes attributes = {};
  Where where = {};
};

// Tensors that one kernel computes together, for arrays of all extents.
struct TensorKernel {
  std::string name;
  std::vector<Tensor> inputs;  // placeholders, in the order of the arguments
  std::vector<Tensor> outputs;
  // Symbols that are not by themselves an extent of an input. A call gives their values as
  // integers, in this order.
  std::vector<std::string> integers = {};
};
// The kernel of the outputs. Its integers are in the order of their first occurrence. Errors: E0105
// if the name is not an identifier, E0602 if an output depends on data that is not an input, or on
// an external operation.
TensorKernel tensor_kernel(const std::string& name, const std::vector<Tensor>& inputs,
                           const std::vector<Tensor>& outputs, const Where& where = Where::here());

// A text that is equal for kernels that may be called instead of each other.
std::string what_computes(const TensorKernel& kernel);

using Global = std::variant<GraphFunction, TensorKernel>;

class Module {
 public:
  using Map = std::map<std::string, std::shared_ptr<const Global>>;
  Module() = default;
  explicit Module(Map globals) : globals_(std::move(globals)) {}

  const Map& globals() const { return globals_; }
  // Null if there is no global of that name, or if it is of another kind.
  const GraphFunction* function(const std::string& name) const { return find<GraphFunction>(name); }
  const TensorKernel* kernel(const std::string& name) const { return find<TensorKernel>(name); }
  bool has(const std::string& name) const { return globals_.contains(name); }

  // Adds the global, or replaces the one of its name.
  void set(Global global);
  void remove(const std::string& name) { globals_.erase(name); }

 private:
  template <typename T>
  const T* find(const std::string& name) const {
    const auto found = globals_.find(name);
    return found == globals_.end() ? nullptr : std::get_if<T>(found->second.get());
  }

  Map globals_;
};

const std::string& name_of(const Global& global);

// The type of the elements of an array, and its extents as dims.
ValueType type_of(const NDArray& array);
// Nothing if no Expr has this type.
std::optional<Type> element_of(strata_type type);

}  // namespace strata::graph
