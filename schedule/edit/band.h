// Editing bands. A band is a chain of loops, each the only node in the body of the one around it.
#pragma once

#include <vector>

#include "core/expr/tile_size.h"
#include "layers/mapping.h"

namespace strata {

// { [t0, .., t(n-1)] -> [t'0, .., t'(m-1)] }: how a command maps the iterators of its band.
using BandMap = isl::map;

// { [t0, .., t(n-1)] -> [t0, .., t(n-1)] }; its at(k) is the iterator tk, to build images from.
isl::multi_aff band_iterators(isl::ctx ctx, int count);
// { [t0, .., t(n-1)] -> [images] }, where the images are functions of band_iterators(ctx, n).
BandMap band_map(const isl::multi_aff& iterators, const std::vector<isl::aff>& images);

// Splits each loop by its size. The tile loops come first, then the loops inside a tile; the
// relation has no quotients:
//     { [t0, .., t(n-1)] -> [c0, .., c(n-1), r0, .., r(n-1)] :
//       tk = sizek ck + rk, 0 <= rk < sizek }
// If a size is a parameter, ck = rk = tk (Loop::tile_size).
BandMap strips(isl::ctx ctx, const std::vector<TileSize>& sizes);

// The names and tags of "count" loops from "outermost" inwards, without their belongings
// (layers/loop_head.h).
std::vector<LoopHead> loops_of_band(const Mapping& mapping, const Path& outermost, int count);

// Replaces "count" loops from "outermost" inwards by "loops", which take over their belongings, and
// maps the iterators of every branch inside by "change":
//
//     Theta' = Theta . (identity on the levels before x change x identity on the levels after)
//
// "change" maps an anonymous tuple of count dimensions to one of loops.size(). If it depends on
// the "around" iterators of the loops just outside, it maps both: { [pre, t] -> [pre, t'] }.
void rewrite_band(Mapping& mapping, const Path& outermost, int count,
                  const std::vector<LoopHead>& loops, const BandMap& change, int around = 0);

// Permutes loops from "outermost" inwards, with their names and tags: number n is what number
// from[n] was.
void permute_band(isl::ctx ctx, Mapping& mapping, const Path& outermost,
                  const std::vector<int>& from);

// Maps the "count" iterators of one branch from "level" on by "change", as above.
void rewrite_time(Branch& branch, int level, int count, const BandMap& change);

}  // namespace strata
