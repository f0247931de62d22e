// Checks of a Halide statement, for STRATA_VERIFY:
//   1. every variable is bound by a loop, a let or an argument where it is used;
//   2. a load or store has as many lanes in its index, its value and its predicate;
//   3. every loop that a name stands for is bound once on each path.
#pragma once

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// Throws E0502 with the kernel's and the pass's name if one of them does not hold.
void verify(const HStmt& statement, const std::string& kernel, const std::string& pass);

}  // namespace strata::halide
