#include "graph/ir/module.h"

#include <algorithm>
#include <set>

#include "graph/evaluate/element.h"
#include "graph/tensor/checks.h"
#include "graph/tensor/key.h"
#include "graph/tensor/order.h"

namespace strata::graph {

void Module::set(Global global) {
  const std::string name = name_of(global);
  globals_[name] = std::make_shared<const Global>(std::move(global));
}

const std::string& name_of(const Global& global) {
  return std::visit([](const auto& g) -> const std::string& { return g.name; }, global);
}

namespace {

// The symbols of operations in the order of their first occurrence.
class SymbolsInOrder {
 public:
  void add(const Expr& e) {
    for (const std::string& name : symbols_of(e))
      if (seen_.insert(name).second) names_.push_back(name);
  }
  void add(const Operation& op) {
    for (const TensorType& output : op.outputs())
      for (const Expr& extent : output.shape) add(extent);
    if (!op.computed()) return;
    for (const Var& k : op.reduce_axis())
      for (const Expr& bound : {k.lower(), k.upper()}) add(bound);
    for (const Expr& scalar : op.body()) add(scalar);
    for (const Expr& assumption : op.computed()->assumptions) add(assumption);
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::set<std::string> seen_;
  std::vector<std::string> names_;
};

}  // namespace

TensorKernel tensor_kernel(const std::string& name, const std::vector<Tensor>& inputs,
                           const std::vector<Tensor>& outputs, const Where& where) {
  const Request request{"kernel(" + name + ")", where};
  require_name(name, request);
  for (const auto& tensors : {inputs, outputs})
    for (const Tensor& t : tensors)
      if (!t.defined())
        throw request.refused(Code::E0602_does_not_fit, "a tensor is undefined", "give tensors");
  for (const Tensor& t : placeholders_of(outputs))
    if (std::find(inputs.begin(), inputs.end(), t) == inputs.end())
      throw request.refused(Code::E0602_does_not_fit, t.name() + " is read and is no argument",
                            "give it among the inputs");
  for (const auto& op : operations_of(outputs))
    if (op->external())
      throw request.refused(Code::E0602_does_not_fit, op->name + " is a function on whole arrays",
                            "call it as an operator, or as a packed function");
  std::set<std::string> given;
  for (const Tensor& t : inputs)
    for (const Expr& extent : t.shape())
      if (extent.op() == Op::parameter) given.insert(extent.name());
  SymbolsInOrder symbols;
  for (const Tensor& t : inputs) symbols.add(t.op());
  for (const auto& op : operations_of(outputs)) symbols.add(*op);
  TensorKernel kernel{name, inputs, outputs};
  for (const std::string& symbol : symbols.names())
    if (!given.contains(symbol)) kernel.integers.push_back(symbol);
  return kernel;
}

std::string what_computes(const TensorKernel& kernel) {
  // Stands for the integers, so that the text tells their order.
  Shape integers;
  for (const std::string& symbol : kernel.integers) integers.push_back(parameter(symbol));
  std::vector<Tensor> tensors{placeholder("integers", i64, integers)};
  tensors.insert(tensors.end(), kernel.inputs.begin(), kernel.inputs.end());
  tensors.insert(tensors.end(), kernel.outputs.begin(), kernel.outputs.end());
  return std::to_string(kernel.inputs.size()) + " inputs\n" + key(tensors);
}

std::optional<Type> element_of(strata_type type) {
  for (const Type t : {boolean, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64}) {
    const strata_type own = element_type_of(t);
    if (own.code == type.code && own.bits == type.bits) return t;
  }
  return std::nullopt;
}

ValueType type_of(const NDArray& array) {
  return ValueType::tensor(Shape(array.extents().begin(), array.extents().end()),
                           element_of(array.type()));
}

}  // namespace strata::graph
