#include "codegen/tree/exactness.h"

#include <algorithm>

namespace strata {

namespace {

bool is_sum(Op op) { return op == Op::add || op == Op::sub || op == Op::negate; }

// Does the entry's proof follow the range of this operation?
bool is_followed(Op op) {
  return is_sum(op) || op == Op::mul || op == Op::div || op == Op::mod || op == Op::min ||
         op == Op::max || op == Op::select || op == Op::named ||
         (Op::logical_and <= op && op <= Op::ge) || op == Op::logical_not;
}

bool is_multiple(const Expr& e) {
  return e.op() == Op::mul &&
         (e.args()[0].op() == Op::constant || e.args()[1].op() == Op::constant);
}

}  // namespace

bool Exactness::is_index(const Expr& e) {
  return is_index_(e, [&] {
    const Op op = e.op();
    if (e.type() != i64 && e.type() != boolean) return false;
    if (op == Op::variable || op == Op::parameter) return true;
    if (op == Op::constant)
      return e.type() == boolean || is_inside({integer_of(e), integer_of(e)}, index_range);
    return is_followed(op) && std::all_of(e.args().begin(), e.args().end(),
                                          [&](const Expr& arg) { return is_index(arg); });
  });
}

Interval Exactness::values_of(const Expr& e) { return of(e).value_or(range_of(e.type())); }

Known Exactness::taken(const Expr& e, const std::vector<Known>& parts) {
  if (!is_integer(e.type()) && e.type() != boolean) return std::nullopt;
  const Interval all = range_of(e.type());
  const Interval found = exact(e, parts).value_or(all);
  const Interval within = is_inside(found, all) ? found : all;
  if (e.type() != i64 || !is_index(e)) return within;
  if (within.lowest > index_range.highest || within.highest < index_range.lowest) return within;
  return Interval{std::max(within.lowest, index_range.lowest),
                  std::min(within.highest, index_range.highest)};
}

bool Exactness::is_exact(const Expr& e) {
  if (is_index(e) || (!is_sum(e.op()) && !is_multiple(e))) return true;
  std::vector<Known> parts;
  for (const Expr& arg : e.args()) parts.push_back(values_of(arg));
  return is_inside(*exact(e, parts), range_of(i64)) &&
         std::all_of(e.args().begin(), e.args().end(),
                     [&](const Expr& arg) { return is_exact(arg); });
}

}  // namespace strata
