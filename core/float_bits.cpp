#include "core/float_bits.h"

#include <bit>
#include <cmath>
#include <limits>

namespace strata {

namespace {

// A 16-bit binary format: sign, exponent, fraction.
struct Format {
  int fraction;          // bits of the fraction
  int largest_exponent;  // of a finite number; also the bias
  int smallest_exponent() const { return 1 - largest_exponent; }
  std::uint16_t infinity() const {
    return static_cast<std::uint16_t>((2 * largest_exponent + 1) << fraction);
  }
};

constexpr Format binary16{10, 15};
constexpr Format bfloat16_format{7, 127};

// The exponent of the last bit of a number as large as "value" in the format.
int last_bit(const Format& f, double value) {
  const int exponent = std::max(std::ilogb(value), f.smallest_exponent());
  return exponent - f.fraction;
}

double rounded(const Format& f, double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int last = last_bit(f, value);
  const double nearest = std::ldexp(std::nearbyint(std::ldexp(value, -last)), last);
  if (std::fabs(nearest) < std::ldexp(1.0, f.largest_exponent + 1)) return nearest;
  return std::copysign(std::numeric_limits<double>::infinity(), value);
}

std::uint16_t to_bits(const Format& f, double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const std::uint16_t quiet = static_cast<std::uint16_t>(1 << (f.fraction - 1));
  if (std::isnan(value)) return sign | f.infinity() | quiet;
  const double magnitude = std::fabs(rounded(f, value));
  if (std::isinf(magnitude)) return sign | f.infinity();
  if (magnitude == 0) return sign;
  // The implied leading bit of a normal number is added into the exponent field here.
  const int last = last_bit(f, magnitude);
  const int significand = static_cast<int>(std::ldexp(magnitude, -last));
  const int exponent_field = last + f.fraction - f.smallest_exponent();
  return static_cast<std::uint16_t>(sign | ((exponent_field << f.fraction) + significand));
}

double from_bits(const Format& f, std::uint16_t bits) {
  const bool negative = (bits & 0x8000) != 0;
  const int magnitude = bits & 0x7fff;
  const int exponent_field = magnitude >> f.fraction;
  const int fraction = magnitude & ((1 << f.fraction) - 1);
  double value = 0;
  if (magnitude == f.infinity())
    value = std::numeric_limits<double>::infinity();
  else if (magnitude > f.infinity())
    value = std::numeric_limits<double>::quiet_NaN();
  else if (exponent_field == 0)
    value = std::ldexp(fraction, f.smallest_exponent() - f.fraction);
  else
    value = std::ldexp(fraction + (1 << f.fraction),
                       exponent_field - 1 + f.smallest_exponent() - f.fraction);
  return std::copysign(value, negative ? -1.0 : 1.0);
}

// A double that rounds to every narrower float type as "value" would: the bits that do not fit are
// collected in its last bit (rounding to odd).
double sticky_double(std::uint64_t value) {
  constexpr int dropped = 64 - std::numeric_limits<double>::digits;
  constexpr std::uint64_t low = (std::uint64_t{1} << dropped) - 1;
  if (std::bit_width(value) <= std::numeric_limits<double>::digits)
    return static_cast<double>(value);
  return static_cast<double>((value & ~low) | ((value & low) != 0 ? low + 1 : 0));
}

}  // namespace

std::uint16_t to_binary16(double value) { return to_bits(binary16, value); }
double from_binary16(std::uint16_t bits) { return from_bits(binary16, bits); }
std::uint16_t to_bfloat16(double value) { return to_bits(bfloat16_format, value); }
double from_bfloat16(std::uint16_t bits) { return from_bits(bfloat16_format, bits); }

double rounded_to(Type type, double value) {
  switch (type) {
    case Type::float16: return rounded(binary16, value);
    case Type::bfloat16: return rounded(bfloat16_format, value);
    case Type::float32: return static_cast<double>(static_cast<float>(value));
    default: return value;
  }
}

double rounded_to(Type type, std::uint64_t value) {
  if (type == Type::float64) return static_cast<double>(value);
  return rounded_to(type, sticky_double(value));
}

double rounded_to(Type type, std::int64_t value) {
  const std::uint64_t bits = static_cast<std::uint64_t>(value);
  return value < 0 ? -rounded_to(type, std::uint64_t{0} - bits) : rounded_to(type, bits);
}

}  // namespace strata
