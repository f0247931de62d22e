// Prints commands as C++ that an author can paste.
#pragma once

#include <string>

#include "schedule/edit/command.h"

namespace strata {

// "S.split(\"i\", 4);", where computations, inputs and parameters have handles of the same name.
// Executed through strata.h it gives "command" again. "command" must be one that was applied to a
// program of this algorithm.
std::string source_of(const Command& command, const Algorithm& algorithm);

// One line per command of the history, groups in "f.together". A computation that a command makes
// gets a handle there; one made in a group is out of scope after the group.
std::string source_of_history(const Program& program);

}  // namespace strata
