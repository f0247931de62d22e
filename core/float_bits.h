// The 16-bit floats, represented by their bits: binary16 (IEEE 754) and bfloat16 (the upper half of
// a float32).
//
// Every conversion from double rounds once, to nearest, ties to even; overflow gives infinity,
// underflow a subnormal number or zero. A NaN keeps its sign and becomes quiet.
#pragma once

#include <cstdint>

#include "core/type.h"

namespace strata {

std::uint16_t to_binary16(double value);
double from_binary16(std::uint16_t bits);

std::uint16_t to_bfloat16(double value);
double from_bfloat16(std::uint16_t bits);

// The nearest value of the float type "type".
double rounded_to(Type type, double value);
// The same for an integer, even one that double cannot represent: it too is rounded only once.
double rounded_to(Type type, std::int64_t value);
double rounded_to(Type type, std::uint64_t value);

}  // namespace strata
