#pragma once

#include <string>
#include <vector>

#include "layers/define/copy.h"
#include "schedule/edit/command.h"

namespace strata {

// The reader reads "array" (an input or a computation) through its own copy: each iteration of the
// loop first copies what it reads into a buffer of the iteration.
//
//     for i:                               for i:
//       for j: C(i, j) from X(j, i)          for y: for x: copy(y, x) = X(y, x)
//                                      ~>    for j: C(i, j) from copy(j, i)
//                                                       cache_at(C.i, X, "copy", {"y", "x"})
//
// An update U of X reads elements of X, other than the one that it redefines, through a copy for
// each step of its outer loops, named first:
//
//     for k:                               for k:
//       for i, j: X(i, j) from X(i, k)       for y: for x: copy(k, y, x) = X(y, x)
//                                      ~>    for i, j: X(i, j) from copy(k, i, k)
//                                                       cache_at(U.k, X, "copy", {"k", "y", "x"})
//
// Equals with_copy (layers/define/copy.h), compute_at(copy, {C.i}) and, if a memory is given,
// set_memory. The reader's prefetches of the array become the copy's. The copy is a computation
// like any other: its loops can be tiled and tagged, and store_in can change its layout (packing).
// Legal iff verified() accepts it.
// Errors: those of with_copy, compute_at and set_memory.
Program cache_at(const Program& program, const LoopRef& loop, const std::string& array,
                 const std::string& copy, const std::vector<std::string>& iterators,
                 Memory memory = Memory::automatic, Given given = {},
                 CopyOf part = CopyOf::what_is_read);

}  // namespace strata
