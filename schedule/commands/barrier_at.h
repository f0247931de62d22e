#pragma once

#include "schedule/edit/command.h"

namespace strata {

// A barrier in each iteration of the loop: what stands before it there is done by all threads that
// run the loops inside, before any of them does what stands behind.
//
// It has a meaning between threads that run at the same time and share a memory.  The iterations of
// a parallel loop do not: the number of threads is the machine's, one may run many iterations one
// after another, and a wait in the first would never end.  A parallel loop is left when all its
// iterations are done, so the order that a barrier would give is that of two loops, which
// distribute_loop makes; and between the iterations and statements of sequential, unrolled and
// vector loops there is an order already.  So on CPUs the command is refused, always, with the
// reason for this loop.
// Errors: E0101, E0102, E0103 not found; E0106.
[[noreturn]] Program barrier_at(const Program& program, const LoopRef& loop, Given given = {});

}  // namespace strata
