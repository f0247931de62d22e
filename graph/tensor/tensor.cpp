#include "graph/tensor/tensor.h"

#include <set>

#include "graph/tensor/checks.h"

namespace strata::graph {

namespace {

// The parts of an operation that hold the operations that it reads.
struct Held {
  Tuple value;
  std::vector<Var> axis;
  std::vector<Tensor> inputs;
};

// The parts of operations whose destructors run. The outermost destructor destroys them, so that
// the end of a chain of 100,000 operations does not recurse.
thread_local std::vector<Held>* to_destroy = nullptr;

}  // namespace

Operation::Operation(std::string name, std::vector<TensorType> outputs, Made made, Where where)
    : Maker(std::move(name)),
      outputs_(std::move(outputs)),
      made_(std::move(made)),
      where_(std::move(where)) {}

Operation::~Operation() {
  Held held;
  if (auto* c = std::get_if<Computed>(&made_)) {
    held.value = std::move(c->value);
    held.axis = std::move(c->axis);
  } else if (auto* e = std::get_if<Extern>(&made_)) {
    held.inputs = std::move(e->inputs);
  }
  if (to_destroy) {
    to_destroy->push_back(std::move(held));
    return;
  }
  std::vector<Held> all;
  to_destroy = &all;
  for (all.push_back(std::move(held)); !all.empty();) {
    const Held last = std::move(all.back());
    all.pop_back();
  }
  to_destroy = nullptr;
}

std::string Operation::output_name(int index) const {
  return outputs_.size() == 1 ? name : name + "_" + std::to_string(index);
}

const std::vector<Var>& Operation::axis() const {
  static const std::vector<Var> none;
  return computed() ? computed()->axis : none;
}

std::vector<Var> Operation::reduce_axis() const {
  if (!computed()) return {};
  const Tuple& value = computed()->value;
  return value.over.empty() ? value.values[0].node().variables : value.over;
}

const std::vector<Expr>& Operation::body() const {
  static const std::vector<Expr> none;
  return computed() ? computed()->value.values : none;
}

std::string Tensor::name() const { return op_->output_name(index_); }
Type Tensor::type() const { return op_->outputs()[index_].type; }
const Shape& Tensor::shape() const { return op_->outputs()[index_].shape; }
const Expr& Tensor::shape(int dimension, const Where& where) const {
  return shape().at(dimension, where);
}

Expr Tensor::operator()(const Indices& indices) const {
  if (indices.rank() != rank())
    return invalid(Code::E0109_wrong_arity, name() + " has " + std::to_string(rank()) +
                                                " dimensions and is read with " +
                                                std::to_string(indices.size()) + " indices");
  return access(name(), type(), indices, op_);
}

Tensor tensor_of(const Expr& access) {
  auto op = std::dynamic_pointer_cast<const Operation>(access.node().owner);
  if (!op) return {};
  for (int k = 0; k < int(op->outputs().size()); ++k)
    if (op->output_name(k) == access.name()) return Tensor(std::move(op), k);
  return {};
}

std::vector<Tensor> input_tensors(const Operation& op) {
  if (op.external()) return op.external()->inputs;
  std::vector<Tensor> tensors;
  std::set<Tensor> seen;
  const auto note = [&](const Expr& part) {
    if (part.op() != Op::access) return;
    const Tensor t = tensor_of(part);
    if (t.defined() && seen.insert(t).second) tensors.push_back(t);
  };
  for (const Var& k : op.computed() ? op.computed()->value.over : std::vector<Var>())
    for (const Expr& bound : {k.lower(), k.upper()}) visit(bound, note);
  for (const Expr& value : op.body()) visit(value, note);
  return tensors;
}

Tensor placeholder(const std::string& name, Type type, const Shape& shape, const Where& where) {
  const Request request{"placeholder(" + name + ")", where};
  require_name(name, "a tensor", request);
  const std::vector<TensorType> outputs{{checked_shape(shape, request), type}};
  return Tensor(std::make_shared<const Operation>(name, outputs, Placeholder(), where), 0);
}

}  // namespace strata::graph
