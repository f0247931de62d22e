// Tagging the loops of a launch on a GPU.
#pragma once

#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// Gives the loops "blocks" the processor block and "threads" the processor thread; each list, which
// may be empty, is a chain of loops (chain_named). E0106 for a loop that is named twice or has
// another processor already, and for a thread loop without a constant bound on its iterations.
Program with_launch_loops(const Program& program, const std::vector<LoopRef>& blocks,
                          const std::vector<LoopRef>& threads, const Command& command);

// E0106 if the loop, which a command would tag "processor", is one of a launch already, or its
// iterations are those of ranks.
void require_free_processor(const Loop& loop, Processor processor, const Command& command);

}  // namespace strata
