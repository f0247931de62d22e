#pragma once

#include <string>
#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// Computes the values of X in a new array, "made". At its end, each iteration of the loop copies to
// X what it has computed (layers/define/result_copy.h). This is copy_at(X, i, made, X) of the
// Tiramisu paper (CGO 2019, table 2); cache_at copies what X reads.
//
//     for i:                               for i:
//       for j: for k: X(i, j) += e           for j: for k: made(i, j) += e
//                                      ~>    for y: for x: X(y, x) = made(y, x)
//                                                       copy_at(X.i, "made", {"y", "x"})
//
// So an accumulator is local to the iteration: in registers, if its size is constant and its
// indices are constant after unrolling. Both X and "made" are computations like any other.
//
// Legal iff the loop and those around it are loops over results of X, and verified() accepts it.
// For a reduction this means that one iteration of them runs all contributions to a result. Errors:
// E0101, E0102, E0103, E0204 not found; E0104, E0105, E0109 the names; E0106 the loop is over
// contributions, or X has no value yet, is computed several times, updated or atomic, or has
// tuples; and verified().
Program copy_at(const Program& program, const LoopRef& loop, const std::string& made,
                const std::vector<std::string>& iterators, Memory memory = Memory::automatic,
                Given given = {});

// The reader reads the computation "array" through a copy in "memory", made in each iteration of
// the loop: cache_at with names of its own, then, in shared memory, deal of the copy's loops. This
// is C.copy_at(P, i, memory) of the Tiramisu paper.
// Errors: those of cache_at and deal.
Program copy_at(const Program& program, const std::string& array, const LoopRef& loop,
                Memory memory, Given given = {});
// The name of that copy: X_shared, or with the smallest free number.
std::string name_of_copy(const Program& program, const std::string& array, Memory memory);

}  // namespace strata
