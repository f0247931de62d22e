// Atomic steps of launches.
#pragma once

#include "tests/fuzz/scheduled.h"

namespace strata::fuzz {

// The steps of a reduction, one of which directly follows the initial value, or updates
// h(e) = h(e) (+) c by constants, where a few threads or those of a warp take each their place.
Scheduled draw_steps(Random& random);

// S(i) = a reduction over k, in some over a range that depends on i, whose steps 32 or 64 threads
// take at one place, in some from partial results of theirs; one or a few rows i are a block.
Scheduled draw_warps(Random& random);

}  // namespace strata::fuzz
