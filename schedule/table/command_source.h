// Commands as C++, for an author to paste.
#pragma once

#include <string>

#include "schedule/edit/command.h"

namespace strata {

// "S.split(\"i\", 4);", with the handles of computations, inputs and parameters named as these are:
// what the methods of strata.h make of it is "command" again.  It is one that was applied.
std::string source_of(const Command& command);

// A line for each command of the history, with groups in "f.together".  A computation that a
// command makes gets a handle where it is made; one made in a group is not known behind it.
std::string source_of_history(const Program& program);

}  // namespace strata
