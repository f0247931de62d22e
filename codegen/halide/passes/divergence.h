// Barriers that some threads of a block may miss.
#pragma once

#include <string>

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// The condition or bound around a barrier of a GPU that depends on the thread: on the variable of a
// thread loop, also through lets, or on memory of the thread. "" if all threads pass all barriers.
std::string find_divergence(const HStmt& statement);

}  // namespace strata::halide
