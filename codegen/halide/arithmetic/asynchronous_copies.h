// Copies from global to shared memory that a thread does not wait for, until it asks to (CUDA's
// cp.async).
//
// Halide has no such statements.  They go through its passes as stores of marked values, and as
// calls; with_asynchronous_copies turns them into calls of marker functions, which Halide's code
// generator leaves as calls in the text, where instructions replace them
// (codegen/device/marker_calls.h):
//
//     shared[p] = strata.asynchronous(X[q])   ~>   strata_cp_async_16(byte of p, word at q)
//     strata.await_copies()                   ~>   strata_cp_async_wait_all()
//
// The word that the marker is passed tells where X[q] is: the text loads it from there.
#pragma once

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// Has the device of the target copies of this kind?
bool has_asynchronous_copies(const Halide::Target& target);

HExpr copied_asynchronously(const HExpr& value);
HStmt await_copies();

// The launches of "statement" with calls of marker functions.  A copy stays ordinary unless it has
// 4, 8 or 16 bytes at a multiple of as many on both sides, from an array that its launch does not
// write.
HStmt with_asynchronous_copies(const HStmt& statement);

}  // namespace strata::halide
