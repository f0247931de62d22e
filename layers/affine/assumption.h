// Assumptions on parameters that exclude an error.
#pragma once

#include <string>
#include <vector>

#include "core/sets/relation.h"

namespace strata {

// "N >= 1 && M >= 0": a condition c on the parameters such that
//     wrong . c is empty,   wanted . c is not.
// For each piece of "wrong", c excludes the piece by a lower bound above the piece's largest value
// of one parameter. "" if a piece has no parameter with a largest value, or if c leaves nothing of
// "wanted".
std::string assumption_without(const isl::set& wrong, const isl::set& wanted,
                               const std::vector<std::string>& parameters);

}  // namespace strata
