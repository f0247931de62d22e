// Threads that begin at different iterations in each block.
#pragma once

#include "tests/fuzz/scheduled.h"

namespace strata::fuzz {

// S(i, j) over first(i) <= j < first(i) + c, where "first" is a maximum, a minimum or a choice of
// functions of i and N, so that no bound of j follows from all iterations; and T(i, j), which reads
// S(i, j), beside it. The iterations of j are threads; one or a few i are a block.
Scheduled draw_threads(Random& random);

}  // namespace strata::fuzz
