#pragma once

#include <optional>
#include <string>

#include "schedule/edit/command.h"

namespace strata {

// Gives each iteration of a loop (and of the loops around it) a buffer of its own for the values of
// an array; without a loop there is one, as long as the kernel runs.  The buffer is that of the
// array's store_in, or the one of the array's name that it will get.
//
//     A_X = { (S[i], t) -> (t0, .., tp, b[e]) }           p the level of the loop
//
//     for i:                              for i:
//       for j: P(i, j)                      allocate P
//       for j: C(i, j)              ~>      for j: P(i, j)
//                                           for j: C(i, j)             allocate_at(P, C.i)
//
// Legal iff judged() finds it so: every value is read in the iteration that makes it (E0307).
// Errors: E0101, E0102, E0103 not found; E0106 an input's values, which are outside; and judged().
Program allocate_at(const Program& program, const std::string& array,
                    const std::optional<LoopRef>& loop, Given given = {});

// The change alone, not judged, as a part of another command.
void move_allocation(Program& program, const std::string& array,
                     const std::optional<LoopRef>& loop, const Command& command);

}  // namespace strata
