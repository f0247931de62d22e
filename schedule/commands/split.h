#pragma once

#include "core/expr/tile_size.h"
#include "schedule/edit/command.h"

namespace strata {

// Strip-mines a loop: "outer" steps over chunks of "size" iterations, "inner" through one chunk.
// A size may be a parameter (parametric tiles, schedule/edit/parametric.h).
//
//     Theta'_S = Theta_S . { [.., t, ..] -> [.., floor(t / size), t mod size, ..] }
//     for every S inside the loop
//
//     for i = 0 .. N - 1: S(i)   ~>   for outer = 0 .. floor((N - 1) / size):
//                                       for inner = 0 .. min(size - 1, N - 1 - size outer):
//                                         S(size outer + inner)
//
// With a parameter T for its size, "inner" has the iterations of the loop that are in the chunk,
// and the kernel checks that T >= 1:
//
//     for i = 0 .. N - 1: S(i)   ~>   for outer = 0 .. floor((N - 1) / T):
//                                       for inner = T outer .. min(T outer + T, N) - 1: S(inner)
//
// A parallel loop stays parallel outside, a vector or unrolled one inside.  Left out (empty),
// the outer loop keeps the name, and the inner one is named NAME_in.
// Legal always, since the order stays (under a tag: iff judged() finds it so).
// Errors: E0101, E0102, E0103 not found, E0104, E0105 names, E0106 size < 1, a loop over parametric
// tiles.
Program split(const Program& program, const LoopRef& loop, const TileSize& size,
              const std::string& outer = "", const std::string& inner = "", Given given = {});

// { [t] -> [floor(t / size), t mod size] } on the loop at "path": what split, unroll and vectorize
// have in common.  Returns the path of the inner loop.
Path strip_mine(Mapping& mapping, const Path& path, const TileSize& size, const std::string& outer,
                const std::string& inner);

}  // namespace strata
