// Partial results of partial results: the chain of commands whose relations grow most.
#pragma once

#include <vector>

#include "tests/fuzz/command_generator.h"

namespace strata::fuzz {

// For a reduction S of the program, with a loop "i" over its results and a loop "k" over its
// contributions:
//
//     split(S.i)  split(S.k, .., lane)  rfactor(S.lane, P)  P.compute_at(S, row)
//     split(S.lane, .., low)  rfactor(S.low, Q)  Q.compute_at(S, row)
//
// each applied to the result of the previous ones. Empty if there is no such reduction.
std::vector<DrawnCommand> draw_double_rfactor(Random& random, const Program& program);

}  // namespace strata::fuzz
