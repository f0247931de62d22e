#pragma once

#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// Runs the iterations of one to three loops, a chain, as the blocks of a launch on a GPU; the
// innermost of them is the grid's axis x, the one around it y, then z.
//
//     for i0: for j0: S(i0, j0)   ~>   launch: block i0: block j0: S(i0, j0)
//
// Theta is unchanged; different blocks are unordered, and no block waits for another.
// Legal iff no block needs a value that another computes, and no two blocks touch one place if one
// of them writes it (as parallelize), and the loops of the launch nest as R210 to R212 say
// (layers/verify/verify_launches.h).
// Errors: E0101, E0102, E0103 not found, E0106 the loop has another tag already, or the rules
// above, E0107 no chain, E0202 a dependence is carried, E0303 a race, E0207 contributions to one
// result would be concurrent, and verified().
Program gpu_blocks(const Program& program, const std::vector<LoopRef>& loops, Given given = {});

}  // namespace strata
