// Separates full from partial tiles: copies of loops whose times are disjoint, so that in the full
// ones inner loops have constant trip counts and no guards, and can be vectorized and unrolled.
//
// At a loop that decides a tile (codegen/nests/fullness.h), its iterations fall in those before the full
// ones, the full ones, and those after.  A sequential loop is split in up to three; a parallel or
// fully unrolled one stays one loop, with two bodies of which each iteration runs one:
//
//     for i0            for i0 in full: full body           parallel for i0
//       body      ~>    for i0 after:   partial body    or    if (full) full body
//                                                             else      partial body
//
// No loop is split by what holds for some lanes of a vector loop around it only: the lanes run the
// same iterations together.
//
// Loops whose border is not left to us (layers/border.h) take part as they are told: those to be
// separated in the full part only, those with guards or masks not at all.
//
// The full part goes on separating inside.  The partial part seeks full tiles for vector and
// unrolled loops only, then for vector loops only, so that what remains of a tile still runs in
// vectors.  So a nest of d tiled loops makes d + 1 copies of its body, about 2d + 1 with a vector
// loop inside, and 3d + 2 with an unrolled one besides (tiling the tiles again makes no more);
// What is left of a loop over tiles may be several pieces (a wavefront cut in time, or in space),
// each with a copy of all loops inside.  Where the innermost loops are no tiles, as those along the
// rows of a stencil, the pieces share one copy instead: it is made for the simple hull of them, and
// the body of its loop stands under the condition that the iteration is in a piece.  The conditions
// that it needs besides stand around those innermost loops, so they cost nothing there.
//
// "most_copies" for each branch of the schedule is never exceeded: what is left then runs
// unseparated.  A nest with tiles of parametric sizes is not copied.
#pragma once

#include "codegen/nests/nest.h"

namespace strata {

inline constexpr int most_copies = 24;

std::vector<Nest> with_full_tiles(const std::vector<Nest>& nests, const TimeSpace& space);

}  // namespace strata
