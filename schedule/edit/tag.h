// What unroll and vectorize have in common.
#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Gives "loop" the processor; what was chosen for its border and is not for that processor goes.
void set_processor(Loop& loop, Processor processor);

// Gives the loop itself the tag, which needs a constant bound on its extent (E0106 with the mend).
Program tag_whole(const Program& program, const LoopRef& loop, Processor processor,
                  const Command& command);

// Splits the loop by "size" and gives the inner loop, named NAME + "suffix" by default, the tag.
// A loop that was parallel or unrolled before stays so outside.
Program tag_strips(const Program& program, const LoopRef& loop, std::int64_t size,
                   const std::string& outer, const std::string& inner, const std::string& suffix,
                   Processor processor, const Command& command);

}  // namespace strata
