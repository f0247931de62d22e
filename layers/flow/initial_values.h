// When the initial values of reductions are made.
#pragma once

#include "layers/program.h"

namespace strata {

// The mapping with the branch of every reduction's initial definition in its place.  It owns its
// loops alone and follows from the branches of the contributions, so it is derived and never
// stored.  With rho = { S[r, k] -> S_init[r] } and p the outermost level whose iterator uses k:
//
//     Theta_init = { S_init[r] -> pre_p(rho^-1 . Theta_S) ++ [just before] ++ rest }
//
// where rest are the levels from p on that do not use k, unrolled and in vectors like these but on
// no threads, then r itself where all these do not tell the results apart.  Results without
// contributions get their place by the same formula.
// Where several branches compute the same results again (compute_at under several readers), each
// has the initial values of its own results.
Mapping complete_mapping(const Program& program);

// Loops that run the results of a reduction, one execution for each.
struct ResultLoops {
  isl::map time;            // { S_init[r] -> [t0, ..] }
  std::vector<Loop> loops;  // without bodies
};
std::vector<std::string> names_of(const ResultLoops& loops);
// The levels of one branch of S that are functions of the result; then the iterators of the result
// where these do not tell its instances apart.
ResultLoops result_loops(const Definition& reduction, const Placed& placed,
                         const Definition& initial);
// For each level of a branch: is it a function of the result, whatever the reduced iterators are?
std::vector<bool> result_levels(const Definition& reduction, const Placed& placed);

}  // namespace strata
