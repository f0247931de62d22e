// Expressions that are large when they are written out.
//
// Conditions stand around each load inside of such an expression, so data under data in conditions
// on data share most of their nodes, and Halide's passes write out what is shared.
#pragma once

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// Names what is repeated in large expressions.
HStmt with_large_values_shared(const HStmt& statement);
HExpr with_large_value_shared(const HExpr& value);

}  // namespace strata::halide
