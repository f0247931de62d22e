// A launch to begin with, in programs for a GPU.
#pragma once

#include <vector>

#include "tests/fuzz/command_generator.h"

namespace strata::fuzz {

// For a branch C of the program, in the loops i, .., j, either of
//
//     gpu_tile(C.i, ..)
//     split(C.i, .., b0, u0)  gpu_blocks(C.b0)  split(C.j, .., u1, t0)  gpu_threads(C.t0)
//
// and then, usually, cache_shared_at of what C reads: through a copy, or where that is computed.
// Each command applies to the result of the previous ones. Empty if there is no loop.
std::vector<DrawnCommand> draw_launch(Random& random, const Program& program);

}  // namespace strata::fuzz
