#pragma once

#include <string>
#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// The reader reads "array" through a copy that each thread has for itself, in registers where its
// indices become constants: cache_at(loop, array, copy, iterators, Memory::local). The loop is one
// of a thread, or the copy's loops are given threads of their own; E0309 where two threads touch
// one place.
// Errors: those of cache_at.
Program cache_local_at(const Program& program, const LoopRef& loop, const std::string& array,
                       const std::string& copy, const std::vector<std::string>& iterators,
                       Given given = {});

// The computation itself is computed in local memory: compute_at(computation, {loop}), unless it is
// there already, and set_memory(.., Memory::local).
Program cache_local_at(const Program& program, const std::string& computation, const LoopRef& loop,
                       Given given = {});

}  // namespace strata
