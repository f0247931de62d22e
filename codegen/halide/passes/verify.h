// Checks of a Halide statement, for STRATA_VERIFY:
//   1. every variable is bound by a loop, a let or an argument where it is used;
//   2. a load or store has equally many lanes in its index, its value and its predicate;
//   3. a loop does not bind a variable that is bound around it;
//   4. all threads of a block pass each barrier (codegen/halide/passes/divergence.h);
//   5. an atomic step reads the place that it stores to; else the store before it counts as dead.
#pragma once

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// Throws E0502 with the names of the kernel and the pass if one of them fails.
void verify(const HStmt& statement, const std::string& kernel, const std::string& pass);

}  // namespace strata::halide
