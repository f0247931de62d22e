#pragma once

#include <cstdint>
#include <string>

#include "schedule/edit/command.h"

namespace strata {

// Each iteration of a loop asks the memory for what the definition reads of "array" (an input or a
// computation) "distance" iterations later, other loops around as they are:
//
//     { [t0, .., tp] -> b[..] : S[i] in Theta_S^-1([t0, .., tp + distance]) for some times further
//                               in, S[i] reads A[e] and A[e] is stored in b[..] }
//
// p the level of the loop; of this set the box hull, for every 64 bytes of each of its rows, from
// its first element on.
//
//     for i:                        for i:
//       for j: S(i, j)                prefetch in[i + 2, 0 : M]
//                            ~>       for j: S(i, j)                    prefetch(S.i, in, 2)
//
// The box may lie outside of the array: prefetching is no access.  Theta stays as it is: legal
// always.  The prefetches go where their loop goes, and are gone once S leaves it (set_schedule
// makes loops anew) or does not read the array any more.  Of two loops that one becomes, the one
// inside a tile has them.
// Errors: E0101, E0102, E0103 not found, or S does not read the array; E0106 a distance that is no
// number of iterations, no index or condition of these reads is affine, and R207.
Program prefetch(const Program& program, const LoopRef& loop, const std::string& array,
                 std::int64_t distance, Given given = {});

}  // namespace strata
