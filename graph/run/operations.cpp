#include "graph/run/operations.h"

#include <algorithm>
#include <set>

#include "graph/builder/visitor.h"
#include "graph/fuse/parametric.h"
#include "graph/fuse/primitive.h"
#include "graph/ir/operator_types.h"
#include "graph/tensor/order.h"

namespace strata::graph {

namespace {

// The operations of one element, or of one contribution to it.
double operations_of_element(const Operation& op) {
  double count = 0;
  for (const Expr& scalar : op.body())
    visit(scalar, [&](const Expr& part) {
      if (is_float(part.type()) && part.op() >= Op::reduce) ++count;
    });
  return std::max(count, 1.0);
}

std::optional<double> operations_of(const Operation& op) {
  double count = operations_of_element(op);
  std::vector<Expr> lengths(op.outputs()[0].shape.begin(), op.outputs()[0].shape.end());
  for (const Var& k : op.reduce_axis()) lengths.push_back(k.upper() - k.lower());
  for (const Expr& length : lengths) {
    const auto number = constant_dim(length);
    if (!number) return std::nullopt;
    count *= double(*number);
  }
  return count;
}

class OperationCounter : public Visitor {
 public:
  explicit OperationCounter(const Module& module) : module_(module) {}

  void binding(const Binding& b) override {
    Visitor::binding(b);
    if (const auto* call = b.as<OperatorCall>()) add([&] { return outputs_of(*call, b.where); });
    if (const auto* call = b.as<KernelCall>())
      if (const TensorKernel* kernel = call->is_packed ? nullptr : module_.kernel(call->callee))
        add([&] { return kernel->outputs; });
    if (const auto* call = b.as<FunctionCall>())
      if (const GraphFunction* f = module_.function(call->callee)) add_function(*f);
  }

  void add_function(const GraphFunction& f) {
    if (is_primitive(f)) return add([&] { return kernel_of(f).outputs; });
    if (!entered_.insert(&f).second) return;
    function(f);
    entered_.erase(&f);
  }

  double count() const { return count_; }

 private:
  // Adds nothing if extents are unknown, or may not fit.
  template <typename Outputs>
  void add(const Outputs& outputs) try {
    count_ += operation_count(outputs()).value_or(0);
  } catch (const Error&) {
  }

  static std::vector<Tensor> outputs_of(const OperatorCall& call, const Where& where) {
    const std::vector<ValueType> types = tensor_types(call, {call.callee, where});
    return are_known(types) ? call_operator(call, tensors_of(types, where), where)
                            : std::vector<Tensor>();
  }

  const Module& module_;
  std::set<const GraphFunction*> entered_ = {};
  double count_ = 0;
};

}  // namespace

std::optional<double> operation_count(const std::vector<Tensor>& outputs) {
  double count = 0;
  for (const auto& op : operations_of(outputs)) {
    if (!op->computed()) continue;
    const auto own = operations_of(*op);
    if (!own) return std::nullopt;
    count += *own;
  }
  return count;
}

double operation_count(const Module& module, const GraphFunction& function) {
  OperationCounter counter(module);
  counter.add_function(function);
  return counter.count();
}

}  // namespace strata::graph
