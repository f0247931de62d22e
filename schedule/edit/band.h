// Editing bands: chains of loops, each the only node in the body of the one before.
#pragma once

#include <vector>

#include "core/expr/tile_size.h"
#include "layers/mapping.h"

namespace strata {

// { [t0, .., t(n-1)] -> [t'0, .., t'(m-1)] }: what a command does to the iterators of its band.
using BandMap = isl::map;

// { [t0, .., t(n-1)] -> [t0, .., t(n-1)] }; its at(k) is the iterator tk, to build others from.
isl::multi_aff band_iterators(isl::ctx ctx, int count);
// { [t0, .., t(n-1)] -> [images] }, the images being functions of band_iterators(ctx, n).
BandMap band_map(const isl::multi_aff& iterators, const std::vector<isl::aff>& images);

// Each loop in strips of its size, the chunks before the rests, in the form that holds no quotient:
//     { [t0, .., t(n-1)] -> [c0, .., c(n-1), r0, .., r(n-1)] : tk = sizek ck + rk, 0 <= rk < sizek }
// where a size is a parameter, ck = rk = tk (Loop::tile_size).
BandMap strips(isl::ctx ctx, const std::vector<TileSize>& sizes);

// The heads of the "count" loops from "outermost" on, without belongings.
std::vector<LoopHead> loops_of_band(const Mapping& mapping, const Path& outermost, int count);

// Replaces the "count" loops from "outermost" on by "loops", which get their belongings,
// and the iterators of every branch inside by their image under "change":
//
//     Theta' = Theta . (identity on the levels before x change x identity on the levels after)
//
// "change" is given in terms of anonymous tuples of count and loops.size() dimensions.
void rewrite_band(Mapping& mapping, const Path& outermost, int count,
                  const std::vector<LoopHead>& loops, const BandMap& change);

// The image of one branch's "count" iterators from "level" on under "change", as above.
void rewrite_time(Branch& branch, int level, int count, const BandMap& change);

}  // namespace strata
