// Separates full from partial tiles, by copies of loops whose times are disjoint: in the full ones
// inner loops have constant trip counts and no guards, so they can be vectorized and unrolled.
//
// A loop that decides a tile (codegen/nests/fullness.h) has iterations before the full ones, full
// ones, and iterations after them. A sequential loop is split into up to three; a parallel or fully
// unrolled one stays one loop with two bodies, and each iteration runs one of them:
//
//     for i0            for i0 in full: full body           parallel for i0
//       body      ~>    for i0 after:   partial body    or    if (full) full body
//                                                             else      partial body
//
// The innermost block loop of a launch stays one loop, too, with a full and a guarded body; uniform
// loops inside the full one are split like sequential ones, and thread loops never are.
//
// A loop is not split by a condition that holds for some lanes only of a vector loop around it: the
// lanes run the same iterations together.
//
// Loops with an explicit tail strategy (layers/tail_strategy.h) follow it: "separate" takes part in
// the full part only, "guard" and "mask" not at all.
//
// Separation continues inside the full part. The partial part looks for full tiles of vector and
// unrolled loops only, then of vector loops only, so that what remains of a tile still runs in
// vectors. So a nest of d tiled loops makes d + 1 copies of its body, about 2d + 1 with a vector
// loop inside, and 3d + 2 with an unrolled loop as well (tiling the tiles again makes no more).
//
// With masks, of loads too, what remains of a register tile, of unrolled loops around sums, is one
// copy in which lanes are switched off and unrolled iterations guarded, as with "separate": all its
// places stay constants, so its sums stay in registers, as in a full tile.
//
// The rest of a loop over tiles may be several pieces (a wavefront cut in time, or in space), each
// with a copy of all loops inside. If the innermost loops are not tiles, such as the loops along
// the rows of a stencil, the pieces share one copy: it is generated for their simple hull, and the
// body of its loop is under the condition that the iteration is in a piece. The additional
// conditions are outside those innermost loops, so they cost nothing there.
//
// Iterations at the border of a clamp or select in vectors (codegen/nests/border_cuts.h) are not
// full either, if "borders_apart": the iterations of a loop that are before and after its interior
// have copies of their own, which are not searched for other borders of this loop.
//
// What remains as guards of the vectors of a register tile is decided outside of its innermost loop
// later, in the finished tree (codegen/passes/unswitch.h).
//
// There are never more than "most_copies" copies per branch of the schedule: beyond that the rest
// is not separated. A nest with tiles of parametric sizes is not copied.
#pragma once

#include "codegen/nests/masking.h"
#include "codegen/nests/nest.h"

namespace strata {

inline constexpr int most_copies = 24;

std::vector<Nest> with_full_tiles(std::vector<Nest> nests, const TimeSpace& space,
                                  bool borders_apart, Masks masks);

}  // namespace strata
