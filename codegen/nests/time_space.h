// The time-space domain: at which times each branch of the schedule runs, and which instance then.
//
// The 2d+1 map of a branch, { S[i] -> [b0, t0, b1, ..] }, has two parts: the static dimensions are
// the shape of the Mapping's forest (kept by codegen/nests/nest.h), the others are the times here.
// Loops are generated from times, not instances: an instance that is scheduled several times is
// several points, and the inverse of Theta is single-valued (R203), so every point determines its
// instance.
#pragma once

#include <optional>
#include <vector>

#include "codegen/nests/choices.h"
#include "core/error.h"
#include "layers/program.h"

namespace strata {

struct TimeBranch {
  const Definition* definition;
  std::vector<const Loop*> loops;  // around it, outermost first
  isl::set instances;              // { S[i] : it runs }
  isl::set times;                  // { B[t0, .., t(d-1)] : some instance runs then }
  // { B[t] : time(i) = t for some i, inside the iteration domain or not }. The loops inside a tile
  // are bounded here: an inner iterator always stays inside its tile. Strides of the domain are
  // kept.
  isl::set possible;
  isl::pw_multi_aff instance;  // { B[t] -> S[i] }; ignores levels of parametric tiles
  int reader_loops;            // how many of the loops belong to its readers (compute_at)
  std::vector<Choice> choices = {};
  bool asynchronous = false;        // Branch::asynchronous
  std::optional<MmaMark> mma = {};  // Branch::mma, and which operand A is
  // The exchange of this message (codegen/exchange.h), which executes nothing.
  std::optional<int> message = {};
};

struct TimeSpace {
  isl::set context;  // { : what is known about the parameters }
  std::vector<TimeBranch> branches;
};

// The branches of "mapping", which must outlive the result, in static order. B is the definition's
// name if it has one branch, otherwise a tuple name of the branch's own. E0203 if two instances of
// a branch have the same time.
TimeSpace time_space(const Algorithm& algorithm, const Mapping& mapping, const Request& request);

}  // namespace strata
