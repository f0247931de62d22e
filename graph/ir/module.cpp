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

TensorKernel tensor_kernel(const std::string& name, const std::vector<Tensor>& inputs,
                           const std::vector<Tensor>& outputs, const Where& where) {
  const Request request{"kernel(" + name + ")", where};
  require_name(name, "a kernel", request);
  for (const auto& tensors : {inputs, outputs})
    for (const Tensor& t : tensors)
      if (!t.defined())
        throw request.refused(Code::E0602_does_not_fit, "a tensor is undefined", "give tensors");
  for (const Tensor& t : placeholders_of(outputs))
    if (std::find(inputs.begin(), inputs.end(), t) == inputs.end())
      throw request.refused(Code::E0602_does_not_fit, t.name() + " is read and is not an argument",
                            "give it among the inputs");
  for (const auto& op : operations_of(outputs))
    if (op->external())
      throw request.refused(Code::E0602_does_not_fit, op->name + " is a function on whole arrays",
                            "call it as an operator, or as a packed function");
  std::set<std::string> given;
  for (const Tensor& t : inputs)
    for (const Expr& extent : t.shape())
      if (extent.op() == Op::parameter) given.insert(extent.name());
  TensorKernel kernel{name, inputs, outputs};
  const auto add_integers = [&](const Expr& e) {
    for (const std::string& symbol : symbols_of(e))
      if (given.insert(symbol).second) kernel.integers.push_back(symbol);
  };
  for (const Tensor& t : inputs) for_each_expr(t.op(), add_integers);
  for (const auto& op : operations_of(outputs)) for_each_expr(*op, add_integers);
  return kernel;
}

std::string what_computes(const TensorKernel& kernel) {
  // One shape of all integers, so that the text tells their order.
  Shape integers;
  for (const std::string& symbol : kernel.integers) integers.push_back(parameter(symbol));
  std::vector<Tensor> tensors{placeholder("integers", i64, integers)};
  tensors.insert(tensors.end(), kernel.inputs.begin(), kernel.inputs.end());
  tensors.insert(tensors.end(), kernel.outputs.begin(), kernel.outputs.end());
  return std::to_string(kernel.inputs.size()) + " inputs\n" + key(tensors);
}

std::optional<Type> element_of(strata_type type) {
  for (const Type t : {boolean, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64})
    if (is_same_type(element_type_of(t), type)) return t;
  return std::nullopt;
}

ValueType type_of(const NDArray& array) {
  return ValueType::tensor(Shape(array.extents().begin(), array.extents().end()),
                           element_of(array.type()));
}

}  // namespace strata::graph
