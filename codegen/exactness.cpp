#include "codegen/exactness.h"

#include <algorithm>

namespace strata {

namespace {

constexpr Wide end = Wide{1} << 63, index_end = Wide{1} << 61;

Interval whole(Type type) {
  const int places = bits(type);
  if (!is_signed_integer(type)) return {0, (Wide{1} << places) - 1};
  return {-(Wide{1} << (places - 1)), (Wide{1} << (places - 1)) - 1};
}

bool is_within(const Interval& inner, const Interval& outer) {
  return outer.lowest <= inner.lowest && inner.highest <= outer.highest;
}

bool is_sum(Op op) { return op == Op::add || op == Op::sub || op == Op::negate; }

// Are these the operations of which the entry's proof knows where the results lie?
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

bool fits(const Interval& values) { return is_within(values, {-end, end - 1}); }

Exactness::Known& Exactness::known(const Expr& e) {
  return known_.try_emplace(e.identity(), Known{e, {}, {}}).first->second;
}

bool Exactness::is_index(const Expr& e) {
  Known& answers = known(e);
  if (!answers.is_index) answers.is_index = asks_index(e);
  return *answers.is_index;
}

bool Exactness::asks_index(const Expr& e) {
  const Op op = e.op();
  if (e.type() != i64 && e.type() != boolean) return false;
  if (op == Op::variable || op == Op::parameter) return true;
  if (op == Op::constant) return is_within(range_of(e), {-index_end, index_end});
  return is_followed(op) && std::all_of(e.args().begin(), e.args().end(),
                                        [&](const Expr& arg) { return is_index(arg); });
}

Interval Exactness::range_of(const Expr& e) {
  Known& answers = known(e);
  if (!answers.range) answers.range = fresh_range(e);
  return *answers.range;
}

Interval Exactness::fresh_range(const Expr& e) {
  const Interval all = whole(e.type());
  if (e.op() == Op::constant && e.type() != u64) return {e.node().integer, e.node().integer};
  const Interval found = e.type() == i64 ? unwrapped(e) : all;
  const Interval within = is_within(found, all) ? found : all;
  if (e.type() != i64 || !is_index(e)) return within;
  if (within.lowest > index_end || within.highest < -index_end) return within;
  return {std::max(within.lowest, -index_end), std::min(within.highest, index_end)};
}

// Where the result of an int64 operation on its arguments lies in Z; the whole type if unknown.
Interval Exactness::unwrapped(const Expr& e) {
  const auto range = [&](std::size_t n) { return range_of(e.args()[n]); };
  switch (e.op()) {
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::min:
    case Op::max:
      return *combined(e.op(), range(0), range(1));
    case Op::div:
    case Op::mod:
      return is_positive_constant(e.args()[1]) ? *combined(e.op(), range(0), range(1))
                                               : whole(e.type());
    case Op::negate:
      return *combined(Op::sub, {0, 0}, range(0));
    case Op::named:
      return range(0);
    case Op::select:
      return hull({range(1).lowest, range(1).highest, range(2).lowest, range(2).highest});
    case Op::cast:
      return is_float(e.args()[0].type()) ? whole(e.type()) : range(0);
    default:
      return whole(e.type());
  }
}

bool Exactness::is_exact(const Expr& e) {
  if (is_index(e) || (!is_sum(e.op()) && !is_multiple(e))) return true;
  return fits(unwrapped(e)) && std::all_of(e.args().begin(), e.args().end(),
                                           [&](const Expr& arg) { return is_exact(arg); });
}

}  // namespace strata
