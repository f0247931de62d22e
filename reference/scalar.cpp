#include "reference/scalar.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "reference/float_format.h"

namespace strata::reference {

Scalar integer_scalar(Type type, __int128 value) {
  if (type == Type::boolean) return truth(value != 0);
  const int width = bits(type);
  const std::uint64_t low = std::uint64_t(value);
  return {type, width == 64 ? low : low & ((std::uint64_t{1} << width) - 1)};
}

Scalar real_scalar(Type type, double value) { return {type, encode(format_of(type), value)}; }

Scalar truth(bool value) { return {Type::boolean, std::uint64_t{value}}; }

__int128 integer_of(const Scalar& a) {
  const __int128 magnitude = a.bits;
  const bool negative = is_signed_integer(a.type) && (a.bits >> (bits(a.type) - 1) & 1) != 0;
  return negative ? magnitude - (__int128{1} << bits(a.type)) : magnitude;
}

double real_of(const Scalar& a) { return decode(format_of(a.type), a.bits); }

double number_of(const Scalar& a) { return is_float(a.type) ? real_of(a) : double(integer_of(a)); }

bool same(const Scalar& a, const Scalar& b) {
  if (a.type != b.type) return false;
  if (is_float(a.type) && std::isnan(real_of(a))) return std::isnan(real_of(b));
  return a.bits == b.bits;
}

std::string to_string(const Scalar& a) {
  if (is_float(a.type)) return fmt::format("{:.17g}", real_of(a));
  if (a.type == Type::uint64) return std::to_string(a.bits);
  return std::to_string(std::int64_t(integer_of(a)));
}

namespace {

// Truncates towards zero and saturates.
Scalar truncated(Type type, double value) {
  if (type == Type::boolean) return truth(value != 0);
  if (std::isnan(value)) return {type, 0};
  const int digits = bits(type) - (is_signed_integer(type) ? 1 : 0);
  const __int128 top = (__int128{1} << digits) - 1;
  const __int128 bottom = is_signed_integer(type) ? -top - 1 : 0;
  if (value >= std::ldexp(1.0, digits)) return integer_scalar(type, top);
  if (value <= double(bottom)) return integer_scalar(type, bottom);
  return integer_scalar(type, __int128(value));
}

}  // namespace

Scalar cast_to(Type type, const Scalar& a) {
  if (is_float(a.type))
    return is_float(type) ? real_scalar(type, real_of(a)) : truncated(type, real_of(a));
  const __int128 value = integer_of(a);
  if (!is_float(type)) return integer_scalar(type, value);
  return {type, encode(format_of(type), value < 0, std::uint64_t(value < 0 ? -value : value), 0)};
}

Scalar identity(Reduction reduction, Type type) {
  if (reduction == Reduction::any || reduction == Reduction::all)
    return truth(reduction == Reduction::all);
  const bool largest = reduction == Reduction::minimum;
  if (reduction == Reduction::sum || reduction == Reduction::product) {
    const int value = reduction == Reduction::sum ? 0 : 1;
    return is_float(type) ? real_scalar(type, value) : integer_scalar(type, value);
  }
  const double infinity = std::numeric_limits<double>::infinity();
  if (is_float(type)) return real_scalar(type, largest ? infinity : -infinity);
  return truncated(type, largest ? infinity : -infinity);
}

Scalar combined(Reduction reduction, const Scalar& a, const Scalar& b) {
  switch (reduction) {
    case Reduction::sum: return apply(Op::add, a.type, {a, b});
    case Reduction::product: return apply(Op::mul, a.type, {a, b});
    case Reduction::minimum: return apply(Op::min, a.type, {a, b});
    case Reduction::any: return truth(a.bits != 0 || b.bits != 0);
    case Reduction::all: return truth(a.bits != 0 && b.bits != 0);
    default: return apply(Op::max, a.type, {a, b});
  }
}

}  // namespace strata::reference
