// Ranges of numbers whose size does not depend on parameters.
#pragma once

#include <cstdint>
#include <optional>

#include "core/sets/relation.h"

namespace strata {

// { [t] : lower <= t < lower + size }, lower a function of the parameters, or of x.
struct ConstantRange {
  isl::pw_aff lower;
  std::int64_t size;
};

// The range around the numbers of a set { [t] }, or around those to which { [x] -> [t] } maps an x.
// It exists if there are numbers, and if any two of them (of one x) differ by less than a constant.
// It is the box of core/sets/quotients.h, which begins at a bound of the set. If isl finds no such
// box, it is
//
//     lower = min { t }, or 0 where there is none,   size = 1 + max { t' - t }
std::optional<ConstantRange> constant_range(const isl::set& numbers);
std::optional<ConstantRange> constant_range(const isl::map& numbers);

}  // namespace strata
