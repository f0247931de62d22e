// Where the initial values of reductions are scheduled.
#pragma once

#include "layers/program.h"

namespace strata {

// The mapping with a branch for every reduction's initial definition. Such a branch has loops of
// its own. It follows from the branches of the contributions, so it is derived and never stored.
// With rho = { S[r, k] -> S_init[r] } and p the outermost level whose iterator depends on k,
//
//     Theta_init = { S_init[r] -> pre_p(rho^-1 . Theta_S) ++ [just before] ++ rest }
//
// If level p stands between block loops or between thread loops, p is the outermost of these loops
// instead (R211). "rest" are the levels from p on that do not depend on k: unrolled or vectorized
// as in S, but never parallel. If these levels do not distinguish the results, the iterators of r
// follow. A thread loop over k inside a thread loop over results stays, with one iteration, so that
// the results keep their axis. The formula also gives a time to results without contributions.
//
// The pieces of a piecewise schedule, branches that contribute to the same results, share one
// initial value, which comes before all of them. Branches that recompute results (compute_at under
// several readers), or whose times (Branch::time) cover other results, have initial values of their
// own.
Mapping complete_mapping(const Program& program);

// Loops over the results of a reduction, with one execution per result.
struct ResultLoops {
  isl::map time;            // { S_init[r] -> [t0, ..] }
  std::vector<Loop> loops;  // without bodies
};
std::vector<std::string> names_of(const ResultLoops& loops);
// The levels of one branch of S that are functions of the result, followed by the iterators of the
// result if these levels do not distinguish the results.
ResultLoops result_loops(const Definition& reduction, const Placed& placed,
                         const Definition& initial);
// For each level of a branch: true if it is a function of the result alone, independent of the
// reduced iterators.
std::vector<bool> result_levels(const Definition& reduction, const Placed& placed);

}  // namespace strata
