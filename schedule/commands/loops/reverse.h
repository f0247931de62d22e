#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Runs a loop backwards.
//
//     Theta'_S = Theta_S . { [.., t, ..] -> [.., -t, ..] }   for every S inside the loop
//
//     for i = 0 .. N - 1: S(i)   ~>   for i = 1 - N .. 0: S(-i)
//
// Legal iff the loop carries no dependence, and storage allows it.
// Errors: E0101, E0102, E0103 not found, E0106 a loop over parametric tiles, and verified().
Program reverse(const Program& program, const LoopRef& loop, Given given = {});

}  // namespace strata
