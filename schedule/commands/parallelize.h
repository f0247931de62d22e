#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Lets the iterations of a loop run at the same time, on the threads of the machine.
//
//     for i: S(i)   ~>   parallel for i: S(i)
//
// Theta stays as it is; the order between different iterations goes.
// Legal iff the loop carries no dependence, and its iterations touch no common place of which one
// writes.
// Errors: E0101, E0102, E0103 not found, E0202 a dependence is carried, E0303 a race, E0207
// contributions of one result would meet.
Program parallelize(const Program& program, const LoopRef& loop, Given given = {});

}  // namespace strata
