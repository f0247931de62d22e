// The statements of the loop tree as Halide statements.
//
// Halide's loops count in 32 bits, Strata's in 64: the loop  for v in [lower, upper)  becomes
//   for step.v in [0, max(upper - lower, 0)):  v = lower + step.v
// The entry of the kernel has checked that no loop has 2^31 steps (entry.h).
//
// A vector loop of constant extent is vectorized, and an unrolled loop of constant extent is
// unrolled. Without a constant extent both run step by step, which is always one of the permitted
// orders. So does a vector loop whose lanes may not be moved innermost, or that contains what
// cannot be in lanes (can_be_lanes): another vector loop, or a heap allocation, which Halide would
// not multiply by the lanes.
//
// In a vector with lanes switched off (If::masks), loads and stores carry predicates. A store to a
// buffer on the stack that has padding for all lanes happens in all of them instead, and lanes that
// are off store the old value. So the buffer can still live in registers.
#pragma once

#include "codegen/halide/emit/scope.h"
#include "codegen/tree/loop_tree.h"

namespace strata::halide {

// Which loops are vectorized and unrolled: all that can be, or none (for buffers whose innermost
// dimension is not dense).
enum class Effort { full, scalar };

// "scope" has the parameters and arguments; "kernel" is the name in messages.
HStmt emit(const StmtPtr& statement, const Scope& scope, const std::string& kernel, Effort effort);

// "body" with a record of its time, as a section of the kernel (runtime/profile.h). "name" is empty
// for the whole kernel; "bytes" may be undefined.
HStmt recorded(const HStmt& body, const std::string& kernel, const std::string& name,
               const HExpr& bytes);

}  // namespace strata::halide
