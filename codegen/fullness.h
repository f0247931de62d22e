// Where the tiles of a nest are full, and at which loop that is decided.
//
// A loop l at depth p is *bounded by construction* if its time maps alone keep it within a
// constant number of iterations for each prefix [t0, .., t(p-1)]: the inner loops that split and
// tile make.  With possible_S = { [t0..tp] : time_S makes it } and executed_S the same cut to the
// iteration domain,
//
//     bad_l = { pi : S runs under pi, and possible_S(pi) - executed_S is not empty }
//
// are the prefixes whose tile is cut off by the border of the domain.  Full tiles have no bounds
// but constants and no guards.
//
// bad_l is handed outwards, from loop to loop, as long as it does not depend on the loop's own
// iterator: for i = 8 i0 + i1 under the loops i0, j0, i1 it is decided at i0.  Through loops that
// are bounded themselves it is handed on in any case: { pi : some iteration is bad }.  The loop
// that decides it is the one to split into full and other iterations.
#pragma once

#include <map>

#include "codegen/nest.h"

namespace strata {

// For which loops full tiles are sought.
enum class Wanted { all, lanes_and_unrolled, lanes, none };

inline Wanted less(Wanted wanted) { return Wanted(int(wanted) + 1); }

// For each loop of "nest" (by its id) that decides a tile: { [t0, .., tp] : full }, never empty.
// A tile that is full everywhere or nowhere decides nothing.
std::map<int, isl::set> full_regions(const Nest& nest, const TimeSpace& space, Wanted wanted);

// The union of { [t0, .., tp] } over the branches in the loop.
isl::set executed(const Nest& loop);

}  // namespace strata
