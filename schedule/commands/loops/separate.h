#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Separates full from partial tiles: one copy of the nest runs the full iterations of the loop
// without guards for it, another copy the rest. In the rest, an unrolled loop runs as under guard,
// a vector loop as under mask, and other loops have the boundary in their bounds. A loop without
// this command is separated as well (TailStrategy::automatic), and its rest is searched for full
// tiles further in, at the cost of more copies.
//
//     for i0: unrolled for i1 = 0 .. min(8, N - 8 i0) - 1: S(8 i0 + i1)
//         ~>
//     for i0 = 0 .. floor(N / 8) - 1: S(8 i0); .. S(8 i0 + 7)
//     for i0 = floor(N / 8) .. : if (8 i0 < N) S(8 i0); .. if (8 i0 + 7 < N) S(8 i0 + 7)
//
// Theta is unchanged: always legal. If there would be too many copies (codegen/nests/full_tiles.h),
// the loop runs as under guard.
// Errors: E0101, E0102, E0103 not found.
Program separate(const Program& program, const LoopRef& loop, Given given = {});

}  // namespace strata
