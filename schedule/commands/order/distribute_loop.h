#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Gives every node in the body of a loop its own copy of the loop (loop fission).
//
//     Theta'_S = Theta_S . { [.., b, t, x, ..] -> [.., b + x, t, 0, ..] }
//     for every S inside the loop
//
//     for i: A(i); B(i)   ~>   for i: A(i)
//                              for i: B(i)
//
// The copies keep the name and the tags.
// Legal iff verified() accepts it.
// Errors: E0101, E0102, E0103 not found, and verified().
Program distribute_loop(const Program& program, const LoopRef& loop, Given given = {});

}  // namespace strata
