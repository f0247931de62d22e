#pragma once

#include "core/expr/expr.h"
#include "schedule/edit/command.h"

namespace strata {

// Shifts the iterations of one computation along a loop; other computations in the loop stay.
//
//     Theta'_S = Theta_S . { [.., t, ..] -> [.., t + amount, ..] }   for S alone
//
//     for i = 0 .. N - 1: T(i); S(i)   ~>   for i = 0 .. N:
//                                             if i < N: T(i)
//                                             if i > 0: S(i - 1)            (amount 1)
//
// "amount" is affine in the parameters.
// Legal iff verified() accepts it.
// Errors: E0101, E0102, E0103 not found (E0101 also a parameter in the amount), E0106 no amount, or
// a loop over parametric tiles, E0111 the amount is not affine in parameters, and verified().
Program shift(const Program& program, const LoopRef& loop, const Expr& amount, Given given = {});

}  // namespace strata
