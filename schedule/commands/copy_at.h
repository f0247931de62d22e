#pragma once

#include <string>
#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// Computes the values of X in an array of their own, "made", from which each iteration of the loop
// copies those that it computed to X (layers/build/result_copy.h). This is copy_at(X, i, made, X)
// of the Tiramisu paper (CGO 2019, table 2); cache_at copies what X reads.
//
//     for i:                               for i:
//       for j: for k: X(i, j) += e           for j: for k: made(i, j) += e
//                                      ~>    for y: for x: X(y, x) = made(y, x)
//                                                       copy_at(X.i, "made", {"y", "x"})
//
// So an accumulator is local to the iteration: in registers, if its size is constant and its
// indices are constant after unrolling. Both X and "made" are computations like any other.
//
// Legal iff the loop and those around it are loops over results of X (if X is a reduction, all
// contributions to one result run in one iteration of them), and judged() accepts it.
// Errors: E0101, E0102, E0103, E0204 not found; E0104, E0105, E0109 the names; E0106 the loop is
// over contributions, or X is computed several times, updated, atomic, or made of tuples; and
// judged().
Program copy_at(const Program& program, const LoopRef& loop, const std::string& made,
                const std::vector<std::string>& iterators, Memory memory = Memory::automatic,
                Given given = {});

}  // namespace strata
