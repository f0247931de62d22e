// Partial results of partial results: of all chains of commands the one whose relations grew most.
#pragma once

#include <vector>

#include "tests/fuzz/command_generator.h"

namespace strata::fuzz {

// For a reduction S of the program, with a loop "i" of its results and one, "k", of what it reduces:
//
//     split(S.i)  split(S.k, .., lane)  rfactor(S.lane, P)  P.compute_at(S, row)
//     split(S.lane, .., low)  rfactor(S.low, Q)  Q.compute_at(S, row)
//
// each to be given to what those before it have made.  Empty where there is no such reduction.
std::vector<DrawnCommand> draw_double_rfactor(Random& random, const Program& program);

}  // namespace strata::fuzz
