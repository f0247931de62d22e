// What an author may assume, so that something wrong cannot happen.
#pragma once

#include <string>
#include <vector>

#include "core/sets/relation.h"

namespace strata {

// "N >= 1 && M >= 0": a condition c on the parameters such that
//     wrong . c is empty,   wanted . c is not,
// each of its parts above the largest value that a piece of "wrong" has of one parameter.  "" where
// a piece of "wrong" has no parameter with a largest value, or only one that leaves nothing wanted.
std::string assumption_without(const isl::set& wrong, const isl::set& wanted,
                               const std::vector<std::string>& parameters);

}  // namespace strata
