// The time-space domain: at which times each branch of the schedule runs, and which instance then.
//
// A branch's own 2d+1 map { S[i] -> [b0, t0, b1, ..] } falls in two: the static dimensions are the
// shape of the Mapping's forest (codegen/nests/nest.h keeps it), the others are the times here.  Times,
// and not instances, are what loops are generated for: an instance that is scheduled several
// times is several points, and the inverse of Theta is single-valued (R203), so that every point
// tells its instance.
#pragma once

#include <vector>

#include "core/error.h"
#include "layers/program.h"

namespace strata {

struct TimeBranch {
  const Definition* definition;
  std::vector<const Loop*> loops;  // around it, outermost first
  isl::set instances;              // { S[i] : it runs }
  isl::set times;                  // { B[t0, .., t(d-1)] : some instance runs then }
  // { B[t] : time(i) = t for some i, inside the iteration domain or not }.  The loops inside a
  // tile are bounded here: whatever is computed, an inner iterator stays inside its tile.  Strides
  // of the domain are kept.
  isl::set possible;
  isl::pw_multi_aff instance;  // { B[t] -> S[i] }, of levels that are not of parametric tiles
  int placed;                  // the loops among them in which its readers need it (compute_at)
};

struct TimeSpace {
  isl::set context;  // { : what is known of the parameters }
  std::vector<TimeBranch> branches;
};

// The branches of "mapping" in static order; it must outlive the result.  B is a tuple name of
// the branch's own, the definition's name where it has one branch.
// Throws E0203 where two instances of a branch meet in one time.
TimeSpace time_space(const Algorithm& algorithm, const Mapping& mapping, const Request& request);

}  // namespace strata
