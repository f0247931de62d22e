// Bytes that move between the levels of memory.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "automatic/facts/statements.h"
#include "automatic/model/core_cycles.h"

namespace strata::automatic {

// A statement, and the depths of the buffers that its loops allocate.
struct PlacedStatement {
  Statement statement;
  Depths allocated;
};

// For each buffer and dimension, the bytes between neighbours along the dimension, in the box
// around all places that the statements touch.
using Pitches = std::map<std::string, std::vector<double>>;
Pitches pitches_of(const std::vector<const PlacedStatement*>& statements);

// A cache of lines, or of the addresses of pages: "capacity" bytes in units of "unit" bytes.
struct Level {
  double capacity, unit;
  const Pitches& pitches;
};

// The bytes that enter a level while the statements run once. They share their first "depth" loops.
// Take the outermost loop of which one iteration fits the level: the bytes are what all its
// iterations touch, times the iterations of the loops outside.
double traffic(const std::vector<const PlacedStatement*>& statements, std::size_t depth,
               const Level& level);

// The number of rows of memory that the loops next to the register block touch in turn. A
// prefetcher follows some of them.
double streams(const PlacedStatement& placed);

}  // namespace strata::automatic
