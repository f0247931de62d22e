// Casts between types: each rounds once, saturates or wraps as core/expr/expr.h says.
#include <cmath>

#include "codegen/halide/arithmetic/operations.h"

namespace strata::halide {

namespace {

using Halide::Internal::Call;
using Halide::Internal::make_const;
using Halide::Internal::make_one;
using Halide::Internal::make_zero;

// A float64 as a float32 rounded to odd: it is rounded towards zero, then the last place becomes 1
// if anything was lost. Rounding this to 11 or 8 bits gives the same as rounding the float64
// directly.
HExpr rounded_to_odd(const HExpr& wide) {
  const HExpr near = Halide::cast(Halide::Float(32), wide);
  const HExpr back = Halide::cast(Halide::Float(64), near);
  const HExpr positive = make_const(Halide::UInt(64), ~std::uint64_t{0} >> 1);
  const HExpr overshot = (bits_of(back) & positive) > (bits_of(wide) & positive);
  const HExpr exact = strict(Call::strict_eq, back, wide);
  const HExpr one = make_one(Halide::UInt(32)), bits = bits_of(near);
  const HExpr odd = select(overshot, bits - one, bits) | one;
  const HExpr is_number = strict(Call::strict_eq, wide, wide);
  return float_of_bits(select(exact || !is_number, bits, odd));
}

// An integer of more than 53 bits loses its last 11 bits before it becomes a float64. This, too, is
// rounding to odd.
HExpr integer_for_float64(const HExpr& value) {
  const HType type = value.type();
  const HExpr mask = make_const(type, 0x7ff), limit = make_const(type, std::int64_t{1} << 53);
  const HExpr sticky =
      select((value & mask) != make_zero(type), make_const(type, 0x800), make_zero(type));
  const HExpr large =
      type.is_int() ? (value > limit || value < make_zero(type) - limit) : value > limit;
  return select(large, (value & ~mask) | sticky, value);
}

HExpr integer_to_float(Type to, const HExpr& value, HalfFloats halves) {
  if (to == Type::float32 || to == Type::float64) return Halide::cast(type_in_flight(to), value);
  if (value.type().bits() <= 16) return rounded(to, Halide::cast(Halide::Float(32), value), halves);
  const HExpr integer = value.type().bits() == 64 ? integer_for_float64(value) : value;
  return rounded(to, rounded_to_odd(Halide::cast(Halide::Float(64), integer)), halves);
}

// Saturates. The bounds are powers of two, so they are exact floats. The number that is converted
// is inside the bounds on every path. For NaN, for which no comparison holds, the result is 0.
HExpr float_to_integer(const HType& to, const HExpr& value) {
  const int places = to.is_int() ? to.bits() - 1 : to.bits();
  const int width = value.type().bits();
  const HExpr end = float_constant(width, std::ldexp(1.0, places));
  const HExpr start = float_constant(width, to.is_int() ? -std::ldexp(1.0, places) : 0.0);
  const double last = width == 32 ? std::nextafter(float(std::ldexp(1.0, places)), 0.0f)
                                  : std::nextafter(std::ldexp(1.0, places), 0.0);
  const HExpr from_start = select(strict(Call::strict_lt, value, start), start, value);
  const HExpr below_end = strict(Call::strict_lt, from_start, end);
  const HExpr inside = select(below_end, from_start, float_constant(width, 0));
  const HExpr from_end = strict(Call::strict_lt, float_constant(width, last), value);
  return select(from_end, to.max(), Halide::cast(to, inside));
}

// Leaves out a cast that only reverts another one, between signed and unsigned integers of one
// width. Halide recognizes saturating sums only if no such pair of casts is between their parts.
HExpr integer_to_integer(const HType& to, const HExpr& value) {
  const auto* cast = value.as<Halide::Internal::Cast>();
  const bool back = cast && cast->value.type() == to && value.type().bits() == to.bits();
  return back ? cast->value : Halide::cast(to, value);
}

HExpr float_to_float(Type to, const HExpr& value, HalfFloats halves) {
  if (to == Type::float64) return Halide::cast(Halide::Float(64), value);
  if (to == Type::float32) return Halide::cast(Halide::Float(32), with_own_rounding(value));
  return rounded(to, value.type().bits() == 64 ? rounded_to_odd(value) : value, halves);
}

}  // namespace

HExpr converted(Type to, Type from, const HExpr& value, HalfFloats halves) {
  if (to == from) return value;
  if (to == Type::boolean) {
    if (is_float(from))
      return !strict(Call::strict_eq, value, float_constant(value.type().bits(), 0));
    return value != make_zero(value.type());
  }
  if (from == Type::boolean) {
    const HExpr number = Halide::cast(Halide::UInt(8), value);
    return Halide::cast(type_in_flight(to), number);
  }
  if (is_float(from) && is_float(to)) return float_to_float(to, value, halves);
  if (is_float(from)) return float_to_integer(type_in_flight(to), value);
  if (is_float(to)) return integer_to_float(to, value, halves);
  return integer_to_integer(type_in_flight(to), value);
}

}  // namespace strata::halide
