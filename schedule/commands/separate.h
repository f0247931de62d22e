#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Runs the full iterations of a loop apart: where the border of the domain cuts nothing off it, by
// a copy of the nest that has no conditions for it; one more copy is for the rest, in which an
// unrolled loop runs as guard makes it, a vector loop as mask does, and others have bounds.  A loop
// without a choice looks for full tiles further in besides, in more copies.
//
//     for i0: unrolled for i1 = 0 .. min(8, N - 8 i0) - 1: S(8 i0 + i1)
//         ~>
//     for i0 = 0 .. floor(N / 8) - 1: S(8 i0); .. S(8 i0 + 7)
//     for i0 = floor(N / 8) .. : if (8 i0 < N) S(8 i0); .. if (8 i0 + 7 < N) S(8 i0 + 7)
//
// Theta stays as it is: legal always.  As long as the number of copies stays bounded
// (codegen/nests/full_tiles.h); beyond that the loop runs as under guard.
// Errors: E0101, E0102, E0103 not found.
Program separate(const Program& program, const LoopRef& loop, Given given = {});

}  // namespace strata
