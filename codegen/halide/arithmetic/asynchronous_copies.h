// Asynchronous copies from global to shared memory (CUDA's cp.async): a thread waits for its copies
// only when it asks to.
//
// Halide has no such statements. They go through its passes as stores of marked values, and as
// calls. Then with_asynchronous_copies turns them into calls of marker functions. Halide's code
// generator leaves these calls in the text, where instructions replace them
// (codegen/device/marker_calls.h):
//
//     shared[p] = strata.asynchronous(X[q])   ~>   strata_cp_async_16(byte of p, word at q)
//     strata.await_copies()                   ~>   strata_cp_async_wait_all()
//
// The argument "word at q" tells where X[q] is: in the text it is a load from there.
#pragma once

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// True if the device of the target has copies of this kind.
bool has_asynchronous_copies(const Halide::Target& target);

HExpr copied_asynchronously(const HExpr& value);
HStmt await_copies();

// "statement", with calls of marker functions in its launches. A copy stays ordinary unless it has
// 4, 8 or 16 bytes, is aligned to its size on both sides, and reads an array that its launch does
// not write.
HStmt with_asynchronous_copies(const HStmt& statement);

}  // namespace strata::halide
