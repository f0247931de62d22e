#include "graph/pass/column_use.h"

#include <algorithm>

#include "core/expr/expr_parts.h"
#include "graph/ir/known.h"
#include "graph/ir/operator_types.h"
#include "graph/tensor/order.h"

namespace strata::graph {

namespace {

bool mentions(const Expr& e, const std::string& name) { return free_variables(e).contains(name); }

// Looks through the value of a computation for one index of its result.
class IndexUse {
 public:
  IndexUse(const std::vector<Tensor>& inputs, const std::string& index)
      : inputs_(inputs), index_(index), seen_(inputs.size()), parts_(inputs.size()) {}

  // False if the value depends on the index in another way than ColumnUse says.
  bool fits(const Expr& e) {
    if (e.op() == Op::access) return fits_access(e);
    if (e.op() == Op::variable && e.name() == index_) return false;
    for (const Expr& bound : bounds_of(e.node()))
      if (mentions(bound, index_)) return false;
    return std::ranges::all_of(e.args(), [this](const Expr& part) { return fits(part); });
  }

  const std::vector<std::optional<int>>& parts() const { return parts_; }

 private:
  bool fits_access(const Expr& access) {
    const auto found = std::find(inputs_.begin(), inputs_.end(), tensor_of(access));
    if (found == inputs_.end()) return false;
    std::optional<int> part;
    for (int d = 0; d < int(access.args().size()); ++d) {
      const Expr& e = access.args()[std::size_t(d)];
      if (!mentions(e, index_)) continue;
      if (e.op() != Op::variable || part) return false;
      part = d;
    }
    const auto k = std::size_t(found - inputs_.begin());
    if (seen_[k] && parts_[k] != part) return false;
    seen_[k] = true;
    parts_[k] = part;
    return true;
  }

  const std::vector<Tensor>& inputs_;
  const std::string& index_;
  std::vector<bool> seen_;
  std::vector<std::optional<int>> parts_;
};

std::optional<ColumnUse> found_use(const OperatorCall& call, const std::vector<ValueType>& types,
                                   const Where& where) {
  const std::vector<Tensor> inputs = tensors_of(types, where);
  const Tensor result = find_result(call, inputs, where);
  if (!result.defined() || !result.op().computed() || result.op().body().size() != 1)
    return std::nullopt;
  const Operation& op = result.op();
  for (const Tensor& t : input_tensors(op))
    if (!t.op().is_placeholder()) return std::nullopt;
  for (std::size_t axis = op.axis().size(); axis-- > 0;) {
    IndexUse use(inputs, op.axis()[axis].name());
    const bool fits =
        use.fits(op.body()[0]) &&
        std::ranges::any_of(use.parts(), [](const auto& part) { return part.has_value(); });
    if (fits) return ColumnUse{int(axis), use.parts(), op.body()[0].op() == Op::reduce};
  }
  return std::nullopt;
}

}  // namespace

std::optional<ColumnUse> column_use(const OperatorCall& call, const Where& where) {
  static Known<std::optional<ColumnUse>> known;
  for (const Value& argument : call.arguments)
    if (!argument.type().is_tensor()) return std::nullopt;
  const std::vector<ValueType> types = tensor_types(call, {call.callee, where});
  if (!are_known(types)) return std::nullopt;
  return known.get(key_of(call, types), [&] { return found_use(call, types, where); });
}

}  // namespace strata::graph
