#pragma once

#include "schedule/edit/command.h"

namespace strata {

// A barrier at the end of each iteration of the loop: all threads of a block wait for each other
// there. It is never needed: code has the barriers that the conflicts between threads ask for
// (layers/flow/barriers.h), and fewer of these with this one.
//
// The loop stands between the blocks and the threads of a launch, where all threads pass it
// together (R213). Elsewhere a barrier is refused. The iterations of a parallel loop of a CPU are
// not such threads: one thread may run many iterations in turn, as the machine has a fixed number
// of threads, and a wait in the first iteration would never end. A parallel loop ends when all its
// iterations are done, so two loops, which distribute_loop makes, have the order that a barrier
// would give; so do blocks. The iterations and statements of sequential, unrolled and vector loops
// are ordered already.
// Errors: E0101, E0102, E0103 not found; E0106.
Program barrier_at(const Program& program, const LoopRef& loop, Given given = {});

}  // namespace strata
