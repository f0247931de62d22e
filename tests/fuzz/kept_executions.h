// Does a command that only hands iterations out keep all executions?
#pragma once

#include <string>

#include "tests/fuzz/command_generator.h"

namespace strata::fuzz {

// deal(S.i, ..) gives each iteration of its loops one thread and step. So in each iteration of the
// loops around S.i, what ran before runs after, and no instance runs more often than before, or
// than once. Describes the first one of which that is not true, or returns ""; "" for other
// commands.
std::string lost_or_repeated(const Program& before, const Program& after,
                             const DrawnCommand& command);

}  // namespace strata::fuzz
