#pragma once

#include <optional>
#include <string>

#include "schedule/edit/command.h"

namespace strata {

// Allocates a buffer for the values of an array in each iteration of a loop (and of the loops
// around it); without a loop, one that lives as long as the kernel runs. The buffer is that of the
// array's store_in, or else one of the array's name.
//
//     A_X = { (S[i], t) -> (t0, .., tp, b[e]) }           p = the level of the loop
//
//     for i:                              for i:
//       for j: P(i, j)                      allocate P
//       for j: C(i, j)              ~>      for j: P(i, j)
//                                           for j: C(i, j)             allocate_at(P, C.i)
//
// Legal iff verified() accepts it: every value is read in the iteration that makes it (E0307).
// Errors: E0101, E0102, E0103 not found; E0106 the array is stored in an argument of the kernel;
// and verified().
Program allocate_at(const Program& program, const std::string& array,
                    const std::optional<LoopRef>& loop, Given given = {});

// The same without judging, for use in other commands.
void move_allocation(Program& program, const std::string& array, const std::optional<LoopRef>& loop,
                     const Command& command);

}  // namespace strata
