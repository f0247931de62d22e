// The bits of binary floating-point formats, by integer arithmetic only.
#pragma once

#include <cstdint>

#include "core/type.h"

namespace strata::reference {

struct FloatFormat {
  int exponent_bits;
  int fraction_bits;
};

FloatFormat format_of(Type type);

// The bits of (-1)^negative * significand * 2^exponent, rounded to nearest, ties to even.
std::uint64_t encode(FloatFormat format, bool negative, std::uint64_t significand, int exponent);
// The bits of a double, including infinities and NaN.
std::uint64_t encode(FloatFormat format, double value);
// The value of a bit pattern; exact, since no format here is wider than double.
double decode(FloatFormat format, std::uint64_t bits);

}  // namespace strata::reference
