#pragma once

#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// Runs the iterations of one to three loops, a chain, as the threads of a block; the innermost of
// them is the block's axis x, the one around it y, then z.
//
//     block i0: for i1: S(i0, i1)   ~>   block i0: thread i1: S(i0, i1)
//
// Theta is unchanged; different threads are unordered where they differ at this level. A
// sequential loop around the threads, inside the block, is *uniform*: its iterations are in order
// for all threads of the block, and code generation places the barriers.
// Legal iff the loops carry no dependence and no race (as parallelize), each has a constant bound
// on its iterations, and the loops of the launch nest as R210 to R212 say
// (layers/verify/verify_launches.h).
// Errors: as gpu_blocks, and E0106 no constant bound.
Program gpu_threads(const Program& program, const std::vector<LoopRef>& loops, Given given = {});

}  // namespace strata
