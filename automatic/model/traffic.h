// Bytes that move between the levels of memory.
#pragma once

#include <vector>

#include "automatic/facts/statements.h"
#include "automatic/model/core_cycles.h"

namespace strata::automatic {

// A statement, and the depths of the buffers that its loops allocate.
struct PlacedStatement {
  Statement statement;
  Depths allocated;
};

// The bytes that enter a cache of "capacity" while the statements, which share their first "depth"
// loops, run once: for the outermost loop one iteration of which fits, what all its iterations
// touch; outside of it, that many times. "line" is the length of a cache line.
double traffic(const std::vector<const PlacedStatement*>& statements, std::size_t depth,
               double capacity, double line);

// The rows of memory that the loops next to the register block touch in turn: a prefetcher follows
// some of them.
double streams(const PlacedStatement& placed);

}  // namespace strata::automatic
