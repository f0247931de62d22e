#pragma once

#include <string>
#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// The reader reads "array" through a copy in the shared memory of its block: each iteration of the
// loop first copies what it reads, all threads of the block together.
//
//     block b:                              block b:
//       for k:                                for k:
//         thread t: C(t) from X         ~>      thread thread_x: for step: copy(..) = X(..)
//                                               thread t: C(t) from copy
//                                                   cache_shared_at(C.k, X, "copy", {"y", "x"})
//
// Equals cache_at(loop, array, copy, iterators, Memory::shared), where the copy of an input is
// defined for all elements that exist (layers/define/copy.h), then deal of the copy's loops, in
// the order that lets neighbouring threads read neighbouring elements (deal_own_loops).
// Errors: those of cache_at and deal, in words of this command; E0106 for a loop that stands in no
// block, inside of its threads, or in a block without threads.
Program cache_shared_at(const Program& program, const LoopRef& loop, const std::string& array,
                        const std::string& copy, const std::vector<std::string>& iterators,
                        Given given = {});

// The computation itself is computed in the block's shared memory, by all of its threads together:
// compute_at(computation, {loop}), unless it is there already, set_memory(.., Memory::shared) and
// deal of its own loops. This is cache_shared_at(P, i) of the Tiramisu paper.
// Errors: those of compute_at, set_memory and deal, and as above.
Program cache_shared_at(const Program& program, const std::string& computation, const LoopRef& loop,
                        Given given = {});

}  // namespace strata
