// Where the initial values of reductions are scheduled.
#pragma once

#include "layers/program.h"

namespace strata {

// The mapping with a branch for every reduction's initial definition.  Such a branch has loops of
// its own and follows from the branches of the contributions, so it is derived and never stored.
// With rho = { S[r, k] -> S_init[r] } and p the outermost level whose iterator depends on k, or the
// outermost block or thread loop where that level stands between such loops (R211):
//
//     Theta_init = { S_init[r] -> pre_p(rho^-1 . Theta_S) ++ [just before] ++ rest }
//
// where rest are the levels from p on that do not depend on k, unrolled and vectorized like these
// but never parallel, and then r itself if these levels do not distinguish the results.  A thread
// loop over k inside of one over results stays, with one iteration, so that the results keep their
// axis.  The formula also gives results without contributions a time.
// Branches that contribute to the same results, the pieces of a piecewise schedule, share one
// initial value, before all of them.  Branches that recompute results (compute_at under several
// readers), or whose times (Branch::time) cover other results, have initial values of their own.
Mapping complete_mapping(const Program& program);

// Loops over the results of a reduction, with one execution per result.
struct ResultLoops {
  isl::map time;            // { S_init[r] -> [t0, ..] }
  std::vector<Loop> loops;  // without bodies
};
std::vector<std::string> names_of(const ResultLoops& loops);
// The levels of one branch of S that are functions of the result, followed by the iterators of the
// result if these levels do not distinguish its instances.
ResultLoops result_loops(const Definition& reduction, const Placed& placed,
                         const Definition& initial);
// For each level of a branch: true if it is a function of the result alone, independent of the
// reduced iterators.
std::vector<bool> result_levels(const Definition& reduction, const Placed& placed);

}  // namespace strata
