#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Runs the iterations of a loop concurrently, on the threads of the machine.
//
//     for i: S(i)   ~>   parallel for i: S(i)
//
// Theta is unchanged; different iterations are unordered.
// Legal iff the loop carries no dependence, and no two iterations touch one place if one of them
// writes it.
// Errors: E0101, E0102, E0103 not found, E0202 a dependence is carried, E0303 a race, E0207
// contributions to one result would be concurrent, and verified().
Program parallelize(const Program& program, const LoopRef& loop, Given given = {});

}  // namespace strata
