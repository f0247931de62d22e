#include "graph/fuse/primitive.h"

#include <unordered_map>

#include "graph/evaluate/element.h"
#include "graph/fuse/parametric.h"

namespace strata::graph {

namespace {

Tensor stand_in(const std::string& name, const ValueType& type, const Where& where) {
  if (!type.is_tensor() || !type.dims() || !type.element())
    throw Request{"placeholder(" + name + ")", where}.refused(
        Code::E0602_does_not_fit, "its type is " + type.text() + ", with unknown extents",
        "match_shape makes them known");
  return placeholder(name, *type.element(), *type.dims(), where);
}

// A constant of rank 0, as a tensor that reads nothing.
Tensor scalar(const NDArray& array, const Where& where) {
  const Expr value = constant_of(read(array, *element_of(array.type()), 0));
  return compute({}, [&] { return value; }, "constant", where);
}

std::vector<Tensor> stand_ins(const GraphFunction& function) {
  std::vector<Tensor> inputs;
  for (const Value& p : function.parameters)
    if (p.type().is_tensor()) inputs.push_back(stand_in(p.name(), p.type(), function.where));
  return inputs;
}

// The tensors that a function computes, by "call", from tensors that stand for its parameters.
class BodyTensors {
 public:
  BodyTensors(const GraphFunction& function, const std::vector<Tensor>& inputs,
              const CallOperator& call)
      : function_(function), call_(call) {
    std::size_t next = 0;
    for (const Value& p : function.parameters)
      if (p.type().is_tensor()) values_[p.node().get()] = {inputs.at(next++)};
    for (const Block& block : function.body.blocks)
      for (const Binding& b : block.bindings) values_[b.value.node().get()] = bound(b);
  }

  std::vector<Tensor> outputs() const { return tensors(function_.body.result); }

 private:
  std::vector<Tensor> tensors(const Value& leaf) const {
    if (leaf.is_variable()) return values_.at(leaf.node().get());
    std::vector<Tensor> all;
    if (const auto* constant = leaf.node()->as<ArrayConstant>())
      all.push_back(scalar(constant->array, function_.where));
    if (const auto* tuple = leaf.node()->as<TupleOf>())
      for (const Value& field : tuple->fields)
        for (const Tensor& t : tensors(field)) all.push_back(t);
    return all;
  }

  std::vector<Tensor> bound(const Binding& b) const {
    if (const auto* alias = b.as<Alias>()) return tensors(alias->of);
    if (const auto* field = b.as<FieldOf>())
      return {tensors(field->of).at(std::size_t(field->index))};
    const auto* call = b.as<OperatorCall>();
    if (!call)
      throw Request{"kernel_of(@" + function_.name + ")", b.where}.refused(
          Code::E0602_does_not_fit, "%" + b.value.name() + " is not a call of an operator",
          "a primitive function has operators, tuples and fields alone");
    std::vector<Tensor> operands;
    for (const Value& argument : call->arguments)
      for (const Tensor& t : tensors(argument)) operands.push_back(t);
    return call_(*call, operands, b.where);
  }

  const GraphFunction& function_;
  const CallOperator& call_;
  std::unordered_map<const ValueNode*, std::vector<Tensor>> values_ = {};
};

}  // namespace

bool is_primitive(const GraphFunction& function) {
  const Attribute* found = function.attributes.find("primitive");
  return found && std::holds_alternative<bool>(*found) && std::get<bool>(*found);
}

TensorKernel kernel_of(const GraphFunction& function) {
  const std::vector<Tensor> inputs = stand_ins(function);
  return tensor_kernel(function.name, inputs,
                       BodyTensors(function, inputs, call_operator).outputs(), function.where);
}

TensorKernel parametric_kernel_of(const GraphFunction& function, const TensorKernel& kernel) {
  const auto make = [&](const std::vector<Tensor>& inputs, const CallOperator& call) {
    return BodyTensors(function, inputs, call).outputs();
  };
  return parametric(kernel, make);
}

}  // namespace strata::graph
