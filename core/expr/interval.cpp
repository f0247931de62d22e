#include "core/expr/interval.h"

#include <algorithm>

#include "core/floor_quotient.h"

namespace strata {

Interval hull(const std::vector<Wide>& ends) {
  const auto [low, high] = std::minmax_element(ends.begin(), ends.end());
  return {*low, *high};
}

namespace {

Interval quotient(const Interval& a, const Interval& b) {
  if (b.lowest <= 0 && b.highest >= 0) {
    const Wide most =
        std::max(a.highest < 0 ? -a.highest : a.highest, a.lowest < 0 ? -a.lowest : a.lowest);
    return {-most - 1, most + 1};
  }
  return hull({floor_quotient(a.lowest, b.lowest), floor_quotient(a.lowest, b.highest),
               floor_quotient(a.highest, b.lowest), floor_quotient(a.highest, b.highest)});
}

// A remainder has the sign of the divisor, and a smaller absolute value.
Interval remainder(const Interval& b) {
  return {std::min<Wide>(b.lowest + 1, 0), std::max<Wide>(b.highest - 1, 0)};
}

// On overflow, a value far outside of every type.
Wide times(Wide a, Wide b) {
  constexpr Wide far = Wide{1} << 126;
  Wide result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return (a < 0) == (b < 0) ? far : -far;
  return result;
}

Interval product(const Interval& a, const Interval& b) {
  return hull({times(a.lowest, b.lowest), times(a.lowest, b.highest), times(a.highest, b.lowest),
               times(a.highest, b.highest)});
}

// a * 2^c and floor(a / 2^c)
Known shifted(Op op, const Interval& a, const Interval& count) {
  if (count.lowest != count.highest || count.lowest < 0 || count.lowest > 62) return std::nullopt;
  const Wide factor = Wide{1} << int(count.lowest);
  return op == Op::shift_left ? product(a, {factor, factor}) : quotient(a, {factor, factor});
}

Interval magnitude(const Interval& a) {
  const Interval range = *combined(Op::max, a, {-a.highest, -a.lowest});
  return {std::max<Wide>(range.lowest, 0), range.highest};
}

}  // namespace

std::optional<Interval> combined(Op op, const Interval& a, const Interval& b) {
  switch (op) {
    case Op::add: return Interval{a.lowest + b.lowest, a.highest + b.highest};
    case Op::sub: return Interval{a.lowest - b.highest, a.highest - b.lowest};
    case Op::mul: return product(a, b);
    case Op::div: return quotient(a, b);
    case Op::mod: return remainder(b);
    case Op::min: return Interval{std::min(a.lowest, b.lowest), std::min(a.highest, b.highest)};
    case Op::max: return Interval{std::max(a.lowest, b.lowest), std::max(a.highest, b.highest)};
    case Op::shift_left:
    case Op::shift_right: return shifted(op, a, b);
    default: return std::nullopt;
  }
}

bool is_positive_constant(const Expr& e) {
  return e.op() == Op::constant && is_integer(e.type()) && e.node().integer > 0;
}

Interval range_of(Type type) {
  const Wide end = Wide{1} << (bits(type) - (is_signed_integer(type) ? 1 : 0));
  return {is_signed_integer(type) ? -end : 0, end - 1};
}

bool is_inside(const Interval& inner, const Interval& outer) {
  return outer.lowest <= inner.lowest && inner.highest <= outer.highest;
}

Wide integer_of(const Expr& constant) {
  const std::int64_t value = constant.node().integer;
  return constant.type() == Type::uint64 ? Wide(std::uint64_t(value)) : Wide(value);
}

Known Intervals::of(const Expr& e) {
  return known_(e, [&] {
    const bool reads = e.op() == Op::load || e.op() == Op::access;
    std::vector<Known> parts;
    for (const Expr& arg : e.args()) {
      const bool apart = reads || (e.op() == Op::checked && parts.empty());
      parts.push_back(apart ? Known() : of(arg));
    }
    return taken(e, parts);
  });
}

Known Intervals::exact(const Expr& e, const std::vector<Known>& parts) {
  if (e.op() == Op::constant && is_integer(e.type())) return Interval{integer_of(e), integer_of(e)};
  if (e.op() == Op::select) {
    if (!parts[1] || !parts[2]) return std::nullopt;
    return hull({parts[1]->lowest, parts[1]->highest, parts[2]->lowest, parts[2]->highest});
  }
  if (parts.empty() || !parts[0]) return std::nullopt;
  if (e.op() == Op::cast || e.op() == Op::named) return parts[0];
  if (e.op() == Op::negate) return combined(Op::sub, {0, 0}, *parts[0]);
  if (e.op() == Op::abs) return magnitude(*parts[0]);
  return parts.size() == 2 && parts[1] ? combined(e.op(), *parts[0], *parts[1]) : std::nullopt;
}

}  // namespace strata
