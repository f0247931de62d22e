// Shared by unroll and vectorize.
#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Tags the whole loop; E0106 unless its extent has a constant bound.
Program tag_whole(const Program& program, const LoopRef& loop, Processor processor,
                  const Command& command);

// Splits the loop by "size" and tags the inner loop, by default named NAME + "suffix". The outer
// loop stays parallel or unrolled if the loop was.
Program tag_strips(const Program& program, const LoopRef& loop, std::int64_t size,
                   const std::string& outer, const std::string& inner, const std::string& suffix,
                   Processor processor, const Command& command);

}  // namespace strata
