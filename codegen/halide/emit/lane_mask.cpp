#include "codegen/halide/emit/lane_mask.h"

#include "codegen/entry/linear_form.h"
#include "codegen/halide/emit/expression.h"
#include "codegen/tree/operations.h"

namespace strata::halide {

namespace {

bool is_order(Op op) { return op == Op::lt || op == Op::le || op == Op::gt || op == Op::ge; }

// e such that the comparison is e >= 0.
Expr not_negative(const Expr& comparison) {
  const Expr &a = comparison.args()[0], &b = comparison.args()[1];
  const bool below = comparison.op() == Op::lt || comparison.op() == Op::le;
  const bool strict = comparison.op() == Op::lt || comparison.op() == Op::gt;
  return (below ? b - a : a - b) - std::int64_t{strict};
}

HExpr in_32_bits(const HExpr& lane, int lanes) {
  return Halide::cast(Halide::Int(32),
                      Halide::clamp(lane, HExpr(std::int64_t{0}), HExpr(std::int64_t{lanes})));
}

}  // namespace

HExpr lane_mask(const Expr& condition, const std::string& variable, const LanePosition& position,
                const Scope& scope) {
  const auto part = [&](std::size_t n) {
    return lane_mask(condition.args()[n], variable, position, scope);
  };
  ExpressionEmitter expressions(scope);
  if (!lacks_masks(scope)) return expressions.index(condition);
  if (condition.op() == Op::logical_and) return part(0) && part(1);
  if (!is_order(condition.op()) || condition.args()[0].type() != i64)
    return expressions.index(condition);
  LinearForm form = linear_form(not_negative(condition));
  const std::int64_t factor = taken_out(form, variable);
  const Expr rest = expression(form);
  if ((factor != 1 && factor != -1) || depends_on(rest, variable))
    return expressions.index(condition);
  const HExpr first = scope.variables.at(variable) - position.lane;
  const HExpr others = expressions.index(rest), lane = Halide::cast(Halide::Int(32), position.lane);
  if (factor == 1) return lane >= in_32_bits(-others - first, position.lanes);
  return lane < in_32_bits(others - first + 1, position.lanes);
}

}  // namespace strata::halide
