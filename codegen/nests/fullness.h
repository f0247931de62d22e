// Which tiles of a nest are full, and at which loop that is decided.
//
// A loop l at depth p is a *tile* if its time maps alone keep it within a constant number of
// iterations for each prefix [t0, .., t(p-1)]: the inner loops that split and tile make. With
// possible_S = { [t0..tp] : time_S makes it } and executed_S the same cut to the iteration domain,
//
//     cut_l = { pi : S runs under pi, and possible_S(pi) - executed_S is not empty }
//
// are the prefixes whose tile is partial: the domain boundary cuts it. All other tiles are full:
// the bounds left inside do not depend on the boundary, and are constants for split and tile.
//
// cut_l is passed outwards, from loop to loop, as long as it does not depend on the loop's own
// iterator: for i = 8 i0 + i1 under the loops i0, j0, i1 it is decided at i0. Through tiles and
// vector loops it is always passed on, as { pi : some iteration is cut }. The loop that decides it
// is the one to split into full and other iterations.
//
// In a launch it is always passed on through thread loops, and the innermost block loop decides all
// that no uniform loop inside decides: all threads of a block go the same way. It decides nothing
// if only threads are cut.
//
// The iterations of a tile, a vector loop or an innermost loop in which some branch inside does not
// run are cut too: full iterations have no guards.
#pragma once

#include <map>

#include "codegen/nests/nest.h"

namespace strata {

// Which loops full tiles are sought for.
enum class Sought { all, lanes_and_unrolled, lanes, none };

inline Sought next_narrower(Sought sought) { return Sought(int(sought) + 1); }

// cut_l of every tile, by the loop's id; empty if all are full.
using CutTiles = std::map<int, isl::set>;
CutTiles cut_tiles(const std::vector<Nest>& nests, const TimeSpace& space);

// Is the loop a tile that is full wherever this copy of it runs?
bool is_full(const Nest& loop, const CutTiles& cut_tiles);

// For each loop that decides a tile, by its id: { [t0, .., tp] : it is full }, never empty. A tile
// that is full everywhere or nowhere needs no decision.
struct FullRegions {
  std::map<int, isl::set> regions;
  // The same with the iterations at a border (codegen/nests/border_cuts.h), which are not in
  // "regions", of loops that have some.
  std::map<int, isl::set> tiles = {};
  // Some vector loop has full vectors, but where everything else sought is full it has none, or
  // only for some parameters (and iterations of the loops outside).
  bool lanes_lost = false;
};
FullRegions full_regions(const Nest& nest, const CutTiles& cut_tiles, Sought sought);

}  // namespace strata
