// Stencils that read a tile in shared memory, copied asynchronously.
#pragma once

#include "tests/fuzz/scheduled.h"

namespace strata::fuzz {

// A stencil of one or two dimensions with a halo of 0 to 3, over blocks of 2 to 256 threads, which
// copy what they read.
Scheduled draw_copies(Random& random);

}  // namespace strata::fuzz
