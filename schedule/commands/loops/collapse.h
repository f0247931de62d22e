#pragma once

#include <string>

#include "schedule/edit/command.h"

namespace strata {

// Makes two loops one, that runs their iterations in the same order. With l <= t_q < l + n the
// least constant bounds on the iterations of the inner loop j, for all parameters and all
// iterations of the loops around it:
//
//     Theta'_S = Theta_S . { [.., t_p, t_q, ..] -> [.., n t_p + t_q - l, ..] }
//     for every S inside the two loops
//
//     for i: for j in 0 .. 8: S(i, j)   ~>   for c: S(c / 8, c % 8)
//
// The new loop is called like i if "name" is empty, and has the tags of both. The order of the
// executions stays, so only a buffer that is private to an iteration of i, with values that pass
// from one iteration of j to another, makes it illegal (E0307).
// Errors: E0101, E0102, E0103 not found, E0107 the loops are not adjacent or have different owners,
// E0104 and E0105 the name; E0106 the bounds of j are not constants, n is above 10^9, the tags of
// the two differ, or one steps over tiles of a parametric size; and verified().
Program collapse(const Program& program, const LoopRef& i, const LoopRef& j,
                 const std::string& name, Given given = {});

}  // namespace strata
