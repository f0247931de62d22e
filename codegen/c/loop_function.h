// A function of C that runs loops, and returns what its notes say.
#pragma once

#include <string>

#include "codegen/c/lines.h"
#include "codegen/c/scope.h"

namespace strata::c {

// What stands between the braces. The notes and the result of "scope" are those of this function.
Lines body_of_function(const std::string& kernel, Scope& scope, const Lines& loops);

}  // namespace strata::c
