#pragma once

#include <string>
#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// The values of X are made in an array of their own, "made", and each iteration of the loop copies
// those that it has made to X (layers/build/result_copy.h).  It is copy_at(X, i, made, X) of the Tiramisu
// paper (CGO 2019, table 2); copies of what X reads are made by cache_at.
//
//     for i:                               for i:
//       for j: for k: X(i, j) += e           for j: for k: made(i, j) += e
//                                      ~>    for y: for x: X(y, x) = made(y, x)
//                                                       copy_at(X.i, "made", {"y", "x"})
//
// So an accumulator lives in the iteration: in registers, where its size is constant and its indices
// are after unrolling.  Both are computations like any other.
//
// Legal iff the loop and those around it are loops over results of X (for a reduction, all
// contributions to one result run in one iteration of them), and judged() finds it so.
// Errors: E0101, E0102, E0103, E0204 not found; E0104, E0105, E0109 the names; E0106 the loop is one
// over contributions, or X is computed several times, updated, atomic, or made of tuples; and
// judged().
Program copy_at(const Program& program, const LoopRef& loop, const std::string& made,
                const std::vector<std::string>& iterators, Memory memory = Memory::automatic,
                Given given = {});

}  // namespace strata
