#pragma once

#include <string>
#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// The reader reads "array" (an input or a computation) through a copy of its own: each iteration of
// the loop first copies what it reads, into a buffer of the iteration.
//
//     for i:                               for i:
//       for j: C(i, j) from X(j, i)          for y: for x: copy(y, x) = X(y, x)
//                                      ~>    for j: C(i, j) from copy(j, i)
//                                                       cache_at(C.i, X, "copy", {"y", "x"})
//
// It is with_copy (layers/build/copy.h), compute_at(copy, {C.i}) and, with a memory, set_memory: the copy is a computation like any
// other, whose loops can be tiled and tagged, and whose store_in gives it another layout (packing).
// Legal iff judged() finds it so.
// Errors: those of with_copy, of compute_at and of set_memory.
Program cache_at(const Program& program, const LoopRef& loop, const std::string& array,
                 const std::string& copy, const std::vector<std::string>& iterators,
                 Memory memory = Memory::automatic, Given given = {});

}  // namespace strata
