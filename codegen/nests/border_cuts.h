// Where the clamps and selects of a nest (codegen/nests/choices.h) meet the border of a domain: the
// iterations that are cut off a loop, so that its others need no conditions.
//
// A choice is decided at a loop l, at depth p, outside of all vector loops, since their lanes run
// the same iterations together. It is not unrolled: then its iterations are code of their own
// already. One of the operands must be the border's:
//
//     border = { [t0, .., tp] : some instance below has this operand },  depends on tp
//     every piece of "border" has at most a constant number of iterations of l for each
//     [t0, .., t(p-1)], at most half as many as the rest
//
// The outermost such loop decides, as in clamp(x + k, ..) the loop over x and not the one over k
// inside. There is none for select(x < y, ..) and select(x % 2 == 0, ..).
//
// Only computations in vectors are cut: elsewhere a condition costs no more than a comparison. If
// the condition is the same for all lanes, a minimum is a scalar, and only a select is cut, since
// loads under it are conditional.
#pragma once

#include <map>
#include <vector>

#include "codegen/nests/fullness.h"

namespace strata {

struct BorderCut {
  isl::set prefixes;  // { [t0, .., tp] : at the border }
  bool lanes;         // the condition differs between the lanes of a vector loop
  bool separate;      // a loop that it involves has the mode "separate"
};

// By the id of the loop that decides. Nothing is cut for a choice that involves a loop with the
// mode "guard" or "mask".
using BorderCuts = std::map<int, std::vector<BorderCut>>;
BorderCuts border_cuts(const std::vector<Nest>& nests, const TimeSpace& space);

// Is the border cut off where full tiles of this kind are sought?
bool seeks(Sought sought, const BorderCut& cut);

}  // namespace strata
