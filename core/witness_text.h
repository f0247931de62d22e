// The text of a witness.
#pragma once

#include <string>

#include "core/error.h"

namespace strata {

// A line of the story with its executions: "{0} computes the value that" ->
// "S[1, 1] at [0, 1, 0, 1, 0] computes the value that". Numbers without an execution are left
// unchanged.
std::string told(const std::string& line, const std::vector<Execution>& executions);

}  // namespace strata
