// Expressions that are large unless their parts are shared.
//
// Each load carries the conditions of the selects around it. So expressions in which conditions and
// indices contain further loads share most of their nodes. Halide's passes visit a shared node once
// per use, which can take exponential time.
#pragma once

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// Binds the repeated parts of large expressions to names.
HStmt with_large_values_shared(const HStmt& statement);
HExpr with_large_value_shared(const HExpr& value);

// A function of LLVM that returns its first argument, and so hides it from passes.
inline const char* const hiding = "llvm.expect.i64";

}  // namespace strata::halide
