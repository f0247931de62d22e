#include "codegen/halide/emit/loop_facts.h"

#include <algorithm>
#include <functional>

#include "codegen/tree/index_math.h"
#include "codegen/tree/realization.h"

namespace strata::halide {

namespace {

Expr at_value(const Expr& e, const std::string& variable, const Expr& value) {
  return substitute(e, [&](const std::string& name) { return name == variable ? value : Expr(); });
}

// True if the conjunction "known" contains a comparison that is as strict as "condition", or
// stricter.
bool implies(const Expr& known, const Expr& condition) {
  if (known.op() == Op::logical_and)
    return implies(known.args()[0], condition) || implies(known.args()[1], condition);
  if (known.op() != condition.op() || known.args()[0].type() != i64) return false;
  const auto distance = [](const Expr& e) { return simplified(e.args()[0] - e.args()[1]); };
  const auto more = constant_difference(distance(known), distance(condition));
  const bool above = known.op() == Op::gt || known.op() == Op::ge;
  const bool below = known.op() == Op::lt || known.op() == Op::le;
  return more && ((above && *more <= 0) || (below && *more >= 0));
}

constexpr std::int64_t most_lanes = 64;

// True if all lanes of the masked vector are on.
bool is_full(const For& vector, const Expr& mask, const std::vector<Expr>& known,
             const std::function<Expr(const Expr&)>& in_iteration) {
  for (std::int64_t lane = *vector.extent - 1; lane >= 0; --lane) {
    const Expr condition = in_iteration(at_value(mask, vector.variable, vector.lower + lane));
    if (std::none_of(known.begin(), known.end(),
                     [&](const Expr& e) { return implies(e, condition); }))
      return false;
  }
  return true;
}

}  // namespace

bool is_simple(const Expr& e) {
  constexpr int deepest = 6;
  if (e.op() == Op::constant || e.op() == Op::variable || e.op() == Op::parameter) return true;
  const bool quotient = e.op() == Op::div && as_constant(e.args()[1]);
  if (e.op() != Op::add && e.op() != Op::sub && e.op() != Op::mul && !quotient) return false;
  return e.node().depth <= deepest && is_simple(e.args()[0]) && is_simple(e.args()[1]);
}

std::optional<FullAndRest> full_and_rest(const For& loop, const std::vector<Expr>& known) {
  const auto* vector = std::get_if<For>(loop.body.get());
  if (loop.processor != Processor::unrolled || !loop.extent || !vector || !is_vector(*vector) ||
      !vector->extent || *vector->extent > most_lanes)
    return std::nullopt;
  const auto* branch = std::get_if<If>(vector->body.get());
  if (!branch || !branch->masks) return std::nullopt;
  std::int64_t first = 0;
  const auto in_next = [&](const Expr& e) {
    return at_value(e, loop.variable, loop.lower + first);
  };
  while (first < *loop.extent && is_full(*vector, branch->condition, known, in_next)) ++first;
  if (first == 0) return std::nullopt;
  FullAndRest parts{loop, loop};
  parts.full.extent = first;
  parts.full.upper = parts.rest.lower = simplified(loop.lower + first);
  parts.rest.extent = *loop.extent - first;
  return parts;
}

}  // namespace strata::halide
