#pragma once

#include "core/expr/tile_size.h"
#include "schedule/edit/command.h"

namespace strata {

// Strip-mines a loop: "outer" steps over chunks of "size" iterations, "inner" runs through one
// chunk. The size may be a parameter (parametric tiles, schedule/edit/parametric.h).
//
//     Theta'_S = Theta_S . { [.., t, ..] -> [.., floor(t / size), t mod size, ..] }
//     for every S inside the loop
//
//     for i = 0 .. N - 1: S(i)   ~>   for outer = 0 .. floor((N - 1) / size):
//                                       for inner = 0 .. min(size - 1, N - 1 - size outer):
//                                         S(size outer + inner)
//
// If the size is a parameter T, "inner" runs over the original iterations in the chunk, and the
// kernel checks that T >= 1:
//
//     for i = 0 .. N - 1: S(i)   ~>   for outer = 0 .. floor((N - 1) / T):
//                                       for inner = T outer .. min(T outer + T, N) - 1: S(inner)
//
// If the loop is parallel, so is the outer one; if it is a vector or unrolled, so is the inner one.
// By default (empty names) the outer loop keeps the name, and the inner one is named NAME_in.
// Always legal, since the order is unchanged (for a tagged loop: iff verified() accepts it).
// Errors: E0101, E0102, E0103 not found, E0104, E0105 names, E0106 size < 1, or a loop over
// parametric tiles.
Program split(const Program& program, const LoopRef& loop, const TileSize& size,
              const std::string& outer = "", const std::string& inner = "", Given given = {});

// { [t] -> [floor(t / size), t mod size] } on the loop at "path", shared by split, unroll and
// vectorize. Returns the path of the inner loop.
Path strip_mine(Mapping& mapping, const Path& path, const TileSize& size, const std::string& outer,
                const std::string& inner);

}  // namespace strata
