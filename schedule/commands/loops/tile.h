#pragma once

#include "core/expr/tile_size.h"
#include "schedule/edit/command.h"

namespace strata {

// Tiles a band of two or more loops, given outermost first: the outer loops step over tiles, the
// inner ones run through one tile.
//
//     Theta'_S = Theta_S . { [.., i, j, ..] -> [.., floor(i/s), floor(j/t), i mod s, j mod t, ..] }
//     for every S inside the loops
//
//     for i: for j: S(i, j)   ~>   for i0: for j0: for i1: for j1: S(s i0 + i1, t j0 + j1)
//
// A size may be a parameter T: then i0 = floor(i / T), the inner loop runs over the iterations i of
// the tile, and the kernel checks that T >= 1. If a loop is parallel, so is its outer one; if it is
// a vector or unrolled, so is its inner one. By default (empty lists) the outer loops keep the
// names, and the inner ones are named NAME_in.
// Legal iff verified() accepts it: a band can be tiled with any sizes if every dependence is
// non-negative on every level. If a size is a parameter, it must be legal for all sizes. If skewing
// the inner loops by the outermost makes the tiling legal, the refusal gives the commands.
// Errors: E0101, E0102, E0103 not found, E0104, E0105 names, E0106 a size < 1, loops that are not
// adjacent or step over parametric tiles, lists of different lengths, E0107 the loops have
// different owners, and verified().
Program tile(const Program& program, const std::vector<LoopRef>& loops,
             const std::vector<TileSize>& sizes, const std::vector<std::string>& outer = {},
             const std::vector<std::string>& inner = {}, Given given = {});

}  // namespace strata
