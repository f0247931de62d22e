// Cycles of the core: the instructions of a statement.
#pragma once

#include <map>
#include <string>

#include "automatic/facts/statements.h"
#include "core/machine/machine.h"

namespace strata::automatic {

// The depth at which the buffer is allocated: inside so many of the loops.
using Depths = std::map<std::string, std::size_t>;

// The loops of a statement from this one on are lanes and copies: its register block.
std::size_t block_of(const Statement& s);

// The cycles that all iterations of the loops around a statement take.
double core_cycles(const Statement& s, const Depths& allocated, const Machine& machine);

}  // namespace strata::automatic
