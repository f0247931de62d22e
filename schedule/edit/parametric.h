// Loops over tiles whose size is a program parameter (Loop::tile_size).
#pragma once

#include <vector>

#include "core/expr/tile_size.h"
#include "schedule/edit/command.h"

namespace strata {

// Checks sizes: E0106 if a number is < 1; E0101 if a parameter is unknown or of another function.
// "what" names a size in messages.
void require_sizes(const Program& program, const std::vector<TileSize>& sizes,
                   const std::string& what, const Command& command);

// The program with the assumption T >= 1, as by f.assume(T >= 1), for each parameter T among
// "sizes". The kernel checks it at entry.
Program with_positive_sizes(const Program& program, const std::vector<TileSize>& sizes,
                            const Command& command);

// E0106 if one of "count" loops from "path" inwards steps over parametric tiles: "action" would
// change their tile numbers f(t), and since f is unknown the result is not a relation.
void require_known_tiles(const Program& program, const Path& path, int count,
                         const std::string& action, const Command& command);

}  // namespace strata
