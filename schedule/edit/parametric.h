// Loops over tiles whose size is a parameter of the program (Loop::tile_size).
#pragma once

#include <vector>

#include "core/expr/tile_size.h"
#include "schedule/edit/command.h"

namespace strata {

// Refuses sizes that are no sizes: E0106 a number < 1, E0101 a parameter that the program has not.
void require_sizes(const Program& program, const std::vector<TileSize>& sizes,
                   const std::string& what, const Command& command);

// The program that assumes of each parameter among "sizes", as f.assume(T >= 1) does, that it is a
// size: the kernel checks it at entry.
Program with_positive_sizes(const Program& program, const std::vector<TileSize>& sizes,
                            const Command& command);

// E0106 if one of the "count" loops from "path" on steps over parametric tiles: what "action" would
// do to their numbers, f(t) with f unknown, is no relation.
void require_known_tiles(const Program& program, const Path& path, int count,
                         const std::string& action, const Command& command);

}  // namespace strata
