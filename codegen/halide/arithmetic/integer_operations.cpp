#include "codegen/halide/arithmetic/operations.h"

namespace strata::halide {

namespace {

using Halide::Internal::Call;
using Halide::Internal::make_const;
using Halide::Internal::make_one;
using Halide::Internal::make_zero;

HType unsigned_of(const HType& type) { return Halide::UInt(type.bits()); }
HExpr as_unsigned(const HExpr& e) { return Halide::cast(unsigned_of(e.type()), e); }
HExpr zero_like(const HExpr& e) { return make_zero(e.type()); }

HExpr is_negative(const HExpr& e) {
  return e.type().is_int() ? e < zero_like(e) : Halide::Internal::const_false();
}

HExpr magnitude(const HExpr& e) {
  const HExpr u = as_unsigned(e);
  return e.type().is_int() ? select(is_negative(e), zero_like(u) - u, u) : u;
}

// floor(a / b) and a - b * floor(a / b). They are computed from the magnitudes, so that no
// intermediate result overflows: -2^31 / -1 is 2^31, which wraps. If the signs differ, the quotient
// of the magnitudes rounds up, and the remainder is the complement to |b|.
struct Division {
  HExpr quotient, remainder;
};

Division floor_division(const HExpr& a, const HExpr& b) {
  const HExpr n = magnitude(a), d = magnitude(b), zero = zero_like(d), one = make_one(d.type());
  const HExpr safe = select(d == zero, one, d);
  const HExpr q = n / safe, r = n - q * safe;
  const HExpr differ = is_negative(a) != is_negative(b), exact = r == zero;
  const HExpr up = select(differ, zero - select(exact, q, q + one), q);
  const HExpr rest = select(differ && !exact, safe - r, r);
  const HExpr signed_rest = select(is_negative(b), zero - rest, rest);
  return {select(d == zero, zero, up), select(d == zero, zero, signed_rest)};
}

// True for a constant divisor of 1 or more. Halide's own division then rounds in the same way, and
// can multiply by the reciprocal.
bool divides_simply(const HExpr& b) {
  if (const auto value = Halide::Internal::as_const_int(b)) return *value > 0;
  if (const auto value = Halide::Internal::as_const_uint(b)) return *value > 0;
  return false;
}

HExpr quotient(const HExpr& a, const HExpr& b) {
  if (divides_simply(b)) return a / b;
  return Halide::cast(a.type(), floor_division(a, b).quotient);
}

HExpr remainder(const HExpr& a, const HExpr& b) {
  if (divides_simply(b)) return a % b;
  return Halide::cast(a.type(), floor_division(a, b).remainder);
}

// A negative count, taken as an unsigned number, is larger than any width.
HExpr shifted_left(const HExpr& a, const HExpr& count) {
  const HExpr u = as_unsigned(count), width = make_const(u.type(), u.type().bits());
  const HExpr within = Halide::min(u, width - make_one(u.type()));
  const HExpr moved =
      Call::make(u.type(), Call::shift_left, {as_unsigned(a), within}, Call::PureIntrinsic);
  return Halide::cast(a.type(), select(u < width, moved, zero_like(u)));
}

HExpr shifted_right(const HExpr& a, const HExpr& count) {
  const HExpr u = as_unsigned(count), width = make_const(u.type(), u.type().bits());
  const HExpr within = Halide::min(u, width - make_one(u.type()));
  const HExpr moved = Call::make(a.type(), Call::shift_right, {a, within}, Call::PureIntrinsic);
  return a.type().is_int() ? moved : select(u < width, moved, zero_like(a));
}

// Integers of 8 and 16 bits wrap in Halide, too. If they are left as they are, Halide finds more
// instructions for them.
bool wraps_in_halide(const HType& type) { return type.is_int() && type.bits() <= 16; }

HExpr wrapping(Op op, const HExpr& a, const HExpr& b) {
  const bool as_is = wraps_in_halide(a.type());
  const HExpr x = as_is ? a : as_unsigned(a), y = as_is ? b : as_unsigned(b);
  if (op == Op::add) return Halide::cast(a.type(), x + y);
  if (op == Op::sub) return Halide::cast(a.type(), x - y);
  return Halide::cast(a.type(), x * y);
}

HExpr unary(Op op, const HExpr& a) {
  switch (op) {
    case Op::negate: return wrapping(Op::sub, zero_like(a), a);
    case Op::logical_not: return !a;
    case Op::bit_not: return ~a;
    case Op::abs:
      return Halide::cast(a.type(), wraps_in_halide(a.type()) ? Halide::abs(a) : magnitude(a));
    default: return a;  // floor, ceil, round, trunc
  }
}

}  // namespace

HExpr integer_operation(Op op, Type, const std::vector<HExpr>& operands) {
  const HExpr& a = operands[0];
  if (operands.size() == 1) return unary(op, a);
  const HExpr& b = operands[1];
  switch (op) {
    case Op::div: return quotient(a, b);
    case Op::mod: return remainder(a, b);
    case Op::min: return Halide::min(a, b);
    case Op::max: return Halide::max(a, b);
    case Op::shift_left: return shifted_left(a, b);
    case Op::shift_right: return shifted_right(a, b);
    case Op::bit_and: return a & b;
    case Op::bit_or: return a | b;
    case Op::bit_xor: return a ^ b;
    case Op::logical_and: return a && b;
    case Op::logical_or: return a || b;
    default: return wrapping(op, a, b);
  }
}

}  // namespace strata::halide
