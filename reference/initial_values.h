// When the initial values of reductions run, derived from docs/semantics.md ("Time").
#pragma once

#include "layers/program.h"

namespace strata::reference {

// The program's mapping, completed by a branch for the initial definition of each scheduled
// reduction. With rho = { S[r, k] -> S_init[r] } and p the outermost level that is not a
// function of r:
//
//     Theta_init = { S_init[r] -> t_q(rho^-1(S_init[r])) : q a level that is a function of r },
//
// inside the loops around level p, directly before the node there.
Mapping with_initial_values(const Program& program);

}  // namespace strata::reference
