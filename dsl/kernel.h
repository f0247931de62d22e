// The arguments of a function's kernel.
#pragma once

#include <string>
#include <vector>

#include "strata/strata.h"

namespace strata {

// The names of the arguments; E0115 for a buffer of another function.
std::vector<std::string> names_of(const Program& program, const std::vector<Buffer>& arguments,
                                  const Request& request);

}  // namespace strata
