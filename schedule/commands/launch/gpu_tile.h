#pragma once

#include <string>
#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// Tiles one to three adjacent loops, and runs the tiles as blocks and what is inside as threads:
//
//     Theta'_S = Theta_S . { [.., i, j, ..] -> [.., floor(i / si), floor(j / sj), i mod si,
//                                               j mod sj, ..] }
//
//     for i: for j: S(i, j)   ~>   block i0: block j0: thread i1: thread j1: S
//
// By default (empty names) the outer loops keep their names, and an inner one is named NAME_in.
// "sizes" are numbers: threads have a constant number of iterations.
// Errors: as tile (as split for one loop), gpu_blocks and gpu_threads.
Program gpu_tile(const Program& program, const std::vector<LoopRef>& loops,
                 const std::vector<std::int64_t>& sizes, const std::vector<std::string>& outer = {},
                 const std::vector<std::string>& inner = {}, Given given = {});

}  // namespace strata
