#pragma once

#include <cstdint>
#include <string>

#include "schedule/edit/command.h"

namespace strata {

// In each iteration of a loop, prefetches what the definition reads of "array" (an input or a
// computation) "distance" iterations later, in the same iteration of the loops around:
//
//     { [t0, .., tp] -> b[..] : S[i] in Theta_S^-1([t0, .., tp + distance]) for some times further
//                               in, S[i] reads A[e] and A[e] is stored in b[..] }
//
// with p the level of the loop. The kernel prefetches the bounding box of this set: every 64 bytes
// of each row, from the row's first element on.
//
//     for i:                        for i:
//       for j: S(i, j)                prefetch in[i + 2, 0 : M]
//                            ~>       for j: S(i, j)                    prefetch(S.i, in, 2)
//
// The box may be partly outside the array: prefetching is not an access. Theta is unchanged: always
// legal. Prefetches move with their loop, and are dropped when S leaves it (set_schedule makes new
// loops) or no longer reads the array. When a loop is split, the loop inside a tile gets them.
// Errors: E0101, E0102, E0103 not found, or S does not read the array; E0106 the distance is not a
// number from 1 to 999,999,999, or every read of the array has a non-affine index or condition; and
// R207.
Program prefetch(const Program& program, const LoopRef& loop, const std::string& array,
                 std::int64_t distance, Given given = {});

}  // namespace strata
