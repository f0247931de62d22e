#include "reference/float_format.h"

#include <bit>
#include <cmath>
#include <limits>

namespace strata::reference {

namespace {

int bias(FloatFormat format) { return (1 << (format.exponent_bits - 1)) - 1; }
std::uint64_t all_ones(int bits) { return (std::uint64_t{1} << bits) - 1; }

std::uint64_t with_sign(FloatFormat format, bool negative, std::uint64_t magnitude) {
  return magnitude | std::uint64_t{negative} << (format.exponent_bits + format.fraction_bits);
}

std::uint64_t infinity(FloatFormat format) {
  return all_ones(format.exponent_bits) << format.fraction_bits;
}

// floor(x / 2^shift), rounded to nearest, ties to even.
std::uint64_t rounded_shift(std::uint64_t x, int shift) {
  if (shift > 64) return 0;
  const std::uint64_t kept = shift == 64 ? 0 : x >> shift;
  const std::uint64_t lost = shift == 64 ? x : x & all_ones(shift);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  return kept + (lost > half || (lost == half && (kept & 1) != 0));
}

}  // namespace

FloatFormat format_of(Type type) {
  switch (type) {
    case Type::float16: return {5, 10};
    case Type::bfloat16: return {8, 7};
    case Type::float32: return {8, 23};
    default: return {11, 52};
  }
}

std::uint64_t encode(FloatFormat format, bool negative, std::uint64_t significand, int exponent) {
  if (significand == 0) return with_sign(format, negative, 0);
  // The unit in the last place of the result, as an exponent of two: at least that of a subnormal.
  const int leading = exponent + std::bit_width(significand) - 1;
  const int smallest = 1 - bias(format) - format.fraction_bits;
  const int unit = std::max(leading - format.fraction_bits, smallest);
  const std::uint64_t fraction = unit > exponent ? rounded_shift(significand, unit - exponent)
                                                 : significand << (exponent - unit);
  // If rounding makes the fraction one bit longer, the addition carries into the exponent.
  const bool subnormal = unit == smallest && fraction < all_ones(format.fraction_bits) + 1;
  const std::uint64_t bits =
      subnormal ? fraction : (std::uint64_t(unit - smallest) << format.fraction_bits) + fraction;
  return with_sign(format, negative, std::min(bits, infinity(format)));
}

std::uint64_t encode(FloatFormat format, double value) {
  const bool negative = std::signbit(value);
  if (std::isnan(value)) return infinity(format) | std::uint64_t{1} << (format.fraction_bits - 1);
  if (std::isinf(value)) return with_sign(format, negative, infinity(format));
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  return encode(format, negative, std::uint64_t(std::ldexp(fraction, 53)), exponent - 53);
}

double decode(FloatFormat format, std::uint64_t bits) {
  const std::uint64_t fraction = bits & all_ones(format.fraction_bits);
  const int exponent = int(bits >> format.fraction_bits & all_ones(format.exponent_bits));
  const bool negative = (bits >> (format.exponent_bits + format.fraction_bits) & 1) != 0;
  double magnitude;
  if (exponent == int(all_ones(format.exponent_bits)))
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    magnitude = std::ldexp(double(fraction), 1 - bias(format) - format.fraction_bits);
  else
    magnitude = std::ldexp(double(fraction + all_ones(format.fraction_bits) + 1),
                           exponent - bias(format) - format.fraction_bits);
  return negative ? -magnitude : magnitude;
}

}  // namespace strata::reference
