#pragma once

#include <cstdint>
#include <optional>

#include "core/sets/relation.h"

namespace strata {

// The value, if it is an integer between -2^62 and 2^62: isl's num_si() is undefined beyond 64
// bits, and the number of integers from one such value to another fits in them.
std::optional<std::int64_t> small_integer(const isl::val& value);

}  // namespace strata
