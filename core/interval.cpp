#include "core/interval.h"

#include <algorithm>

namespace strata {

Interval hull(const std::vector<Wide>& ends) {
  const auto [low, high] = std::minmax_element(ends.begin(), ends.end());
  return {*low, *high};
}

namespace {

Wide floor_quotient(Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

Interval quotient(const Interval& a, const Interval& b) {
  if (b.lowest <= 0 && b.highest >= 0) {
    const Wide most =
        std::max(a.highest < 0 ? -a.highest : a.highest, a.lowest < 0 ? -a.lowest : a.lowest);
    return {-most - 1, most + 1};
  }
  return hull({floor_quotient(a.lowest, b.lowest), floor_quotient(a.lowest, b.highest),
               floor_quotient(a.highest, b.lowest), floor_quotient(a.highest, b.highest)});
}

// The rest has the sign of the divisor, and is smaller.
Interval remainder(const Interval& b) {
  return {std::min<Wide>(b.lowest + 1, 0), std::max<Wide>(b.highest - 1, 0)};
}

}  // namespace

std::optional<Interval> combined(Op op, const Interval& a, const Interval& b) {
  switch (op) {
    case Op::add:
      return Interval{a.lowest + b.lowest, a.highest + b.highest};
    case Op::sub:
      return Interval{a.lowest - b.highest, a.highest - b.lowest};
    case Op::mul:
      return hull(
          {a.lowest * b.lowest, a.lowest * b.highest, a.highest * b.lowest, a.highest * b.highest});
    case Op::div:
      return quotient(a, b);
    case Op::mod:
      return remainder(b);
    case Op::min:
      return Interval{std::min(a.lowest, b.lowest), std::min(a.highest, b.highest)};
    case Op::max:
      return Interval{std::max(a.lowest, b.lowest), std::max(a.highest, b.highest)};
    default:
      return std::nullopt;
  }
}

bool is_positive_constant(const Expr& e) {
  return e.op() == Op::constant && is_integer(e.type()) && e.node().integer > 0;
}

}  // namespace strata
