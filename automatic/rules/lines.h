// Recurrences along lines, in vectors of lines.
#pragma once

#include <optional>

#include "automatic/rules/rules.h"

namespace strata::automatic {

// The first loop over results that others do not share and that runs over lines: no instance reads
// another line's results of the same step.
//     { x'_l - x_l : S[x'] reads a value of S[x], x and x' in one step }  =  { 0 }
std::optional<std::size_t> loop_over_lines(const Member& m);

// Does one definition alone make all values of the array, which no caller sees?
bool is_own_temporary(const Facts& facts, const Member& m);

// Stores the array in the order of the loops that it shares, the other loops, then "innermost".
// Shared loops whose next iteration reads nothing of the array need no place of their own:
//     { X[t, x] -> X[x] }
void store_with(Draft& draft, const Facts& facts, const Member& m, std::size_t innermost);

// For blocks of lines: for the other loops: for the lines of a block, as one vector of "lanes".
// Loops that others share stay outside.
void write_lines(Draft& draft, const Member& m, std::size_t line, int lanes);

}  // namespace strata::automatic
