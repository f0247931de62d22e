#include "graph/tensor/order.h"

#include <set>
#include <unordered_set>

namespace strata::graph {

namespace {

// An operation whose inputs are being visited. The stack is explicit, since chains may be long.
struct Visit {
  std::shared_ptr<const Operation> op;
  std::vector<Tensor> inputs;
  std::size_t next = 0;
};

}  // namespace

std::vector<std::shared_ptr<const Operation>> operations_of(const std::vector<Tensor>& tensors,
                                                            const std::vector<Tensor>& given) {
  const std::set<Tensor> known(given.begin(), given.end());
  std::vector<std::shared_ptr<const Operation>> order;
  std::unordered_set<const Operation*> seen;
  std::vector<Visit> stack;
  const auto enter = [&](const Tensor& t) {
    if (!known.contains(t) && seen.insert(&t.op()).second)
      stack.push_back({t.shared_op(), input_tensors(t.op())});
  };
  for (const Tensor& t : tensors) {
    enter(t);
    while (!stack.empty()) {
      Visit& top = stack.back();
      if (top.next < top.inputs.size()) {
        const Tensor input = top.inputs[top.next++];
        enter(input);
      } else {
        order.push_back(std::move(top.op));
        stack.pop_back();
      }
    }
  }
  return order;
}

void for_each_expr(const Operation& op, const std::function<void(const Expr&)>& f) {
  for (const TensorType& output : op.outputs())
    for (const Expr& extent : output.shape) f(extent);
  if (!op.computed()) return;
  for (const Var& k : op.reduce_axis())
    for (const Expr& bound : {k.lower(), k.upper()}) f(bound);
  for (const Expr& scalar : op.body()) f(scalar);
  for (const Expr& assumption : op.computed()->assumptions) f(assumption);
}

std::vector<Tensor> placeholders_of(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> found;
  for (const auto& op : operations_of(tensors))
    if (op->is_placeholder()) found.emplace_back(op, 0);
  return found;
}

}  // namespace strata::graph
