// Cycles of the core, for the instructions of a statement.
#pragma once

#include <map>
#include <string>

#include "automatic/facts/statements.h"
#include "core/machine/machine.h"

namespace strata::automatic {

// For each buffer, the number of loops around its allocation.
using Depths = std::map<std::string, std::size_t>;

// The first loop of the statement's register block. From this loop on, all are vector or unrolled
// loops.
std::size_t block_of(const Statement& s);

// The cycles that all iterations of the loops around a statement take.
double core_cycles(const Statement& s, const Depths& allocated, const Machine& machine);

}  // namespace strata::automatic
