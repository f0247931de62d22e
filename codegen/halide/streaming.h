// Stores past the caches (Execute::streams), which neither Halide's statements nor its code
// generator know.  A streamed value is marked where it is stored, and once there are vectors a
// store of a marked one
//     symbol[ramp(i, 1, n)] = v
// becomes, in a version of the code for large buffers,
//     vector[ramp(0, 1, n)] = v       on the stack
//     strata_stream(symbol, i, vector, n)
#pragma once

#include <string>

#include "codegen/halide/values.h"
#include "codegen/loop_tree.h"

namespace strata::halide {

// Does anything in the statement stream?
bool streams(const StmtPtr& s);

// The value, to be stored in the buffer "symbol" past the caches.
HExpr streamed(const std::string& symbol, const HExpr& value);

// "body" where it is known whether stores to the buffer "symbol" of so many bytes are streamed.
HStmt with_choice_of_streaming(const std::string& symbol, const HExpr& bytes, const HStmt& body);

// What a thread that may have streamed runs before others may read it: before the iterations of a
// parallel loop, which others take, and last of all.
HStmt end_of_streaming();

// The pass that finds the marks.
HStmt with_streaming_stores(const HStmt& statement);

}  // namespace strata::halide
