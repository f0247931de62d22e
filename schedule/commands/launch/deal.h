#pragma once

#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// Deals the iterations of one or more neighbouring loops, inside a block and outside of its
// threads, out to all threads of the block. With [lo(pre), lo(pre) + w) the box around the loops'
// iterations in an iteration pre of the loops around, w constant, Z x Y x X the threads of the
// block, and
//
//     lin(x) = ((x1 - lo1) w2 + (x2 - lo2)) w3 + ..          x in the order in which they are named
//
//     Theta' = Theta . { [pre, x, rest] -> [pre, thread_z, thread_y, thread_x, step, rest] :
//                        lin(x) = X Y Z step + (Y thread_z + thread_y) X + thread_x,
//                        0 <= thread_x < X, 0 <= thread_y < Y, 0 <= thread_z < Z }
//
//     for y: for x: copy(y, x)   ~>   thread thread_y: thread thread_x: for step: copy
//
// A footprint that is not convex is made so first (widen, schedule/edit/cooperative.h).
// Both sides determine each other, so each iteration runs once. Neighbouring threads run
// neighbouring iterations of the loop that is named last, which may stand anywhere among them: name
// the one along which memory is dense. The loop "step" has ceil(w1 .. wd / X Y Z) iterations of a
// thread; up to 8 are unrolled. The new loops are ordinary loops; names that are
// taken get a number. Legal iff the result is, as for gpu_threads. Errors: E0101, E0102, E0103,
// E0107 not found; E0106 loops that are not neighbours, not sequential or over tiles of a
// parametric size, in no block, inside its threads, in a block without threads, or without a box of
// constant size; and verified().
Program deal(const Program& program, const std::vector<LoopRef>& loops, Given given = {});

// The same for the computation's own outermost loops over its results, in the order that lets
// neighbouring threads read neighbouring elements or, where no loop does, write them.
Program deal_own_loops(const Program& program, const std::string& computation, Given given = {});

}  // namespace strata
