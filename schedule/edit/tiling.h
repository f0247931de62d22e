// Tiling a band of loops, without judging the result.
#pragma once

#include <string>
#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// Names for the loops over the tiles and for those inside a tile; an empty list: the outer loops
// keep their names, and an inner one is named NAME_in.
struct TileNames {
  std::vector<std::string> outer = {}, inner = {};
};

// "name(loops, sizes, names)".
Command tiling_command(const std::string& name, const std::string& consequence,
                       const std::vector<LoopRef>& loops, const std::vector<TileSize>& sizes,
                       const TileNames& names, const Given& given);

struct Tiled {
  Program program;
  Path outermost;  // the path of the first loop over tiles
};

// The adjacent loops i, j, .. become i0, j0, .., i1, j1, ..; the relation is strips() of
// schedule/edit/band.h. E0106 if the numbers of sizes, names and loops differ or a size is not
// positive, and as band_named and new_names.
Tiled with_tiles(const Program& program, const std::vector<LoopRef>& loops,
                 const std::vector<TileSize>& sizes, const TileNames& names,
                 const Command& command);

}  // namespace strata
