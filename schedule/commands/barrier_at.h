#pragma once

#include "schedule/edit/command.h"

namespace strata {

// A barrier in each iteration of the loop: all threads that run the loops inside finish what
// precedes it in the iteration before any of them starts what follows.
//
// A barrier needs threads that run concurrently and share memory. The iterations of a parallel loop
// are not such threads: one thread may run many iterations in turn, as the machine has a fixed
// number of threads, and a wait in the first iteration would never end. A parallel loop ends when
// all its iterations are done, so two loops, which distribute_loop makes, have the order that a
// barrier would give. The iterations and statements of sequential, unrolled and vector loops are
// ordered already. So on CPUs the command is always refused, with the reason for this loop.
// Errors: E0101, E0102, E0103 not found; E0106.
[[noreturn]] Program barrier_at(const Program& program, const LoopRef& loop, Given given = {});

}  // namespace strata
