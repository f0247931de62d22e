#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Exchanges two loops of a chain, adjacent or not; names and tags move with their loops.
//
//     Theta'_S = Theta_S . { [.., t_p, .., t_q, ..] -> [.., t_q, .., t_p, ..] }
//     for every S inside the two loops
//
//     for i: for j: S(i, j)   ~>   for j: for i: S(i, j)
//
// Legal iff every dependence stays in order, no value is overwritten too early, and no race arises.
// Errors: E0101, E0102, E0103 not found, E0107 the loops have different owners, and verified().
Program interchange(const Program& program, const LoopRef& a, const LoopRef& b, Given given = {});

}  // namespace strata
