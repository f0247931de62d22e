// The work of a parallel loop (codegen/tree/work.h) as an expression at the loop's entry.
#pragma once

#include "codegen/halide/emit/scope.h"
#include "codegen/tree/loop_tree.h"

namespace strata::halide {

// The work in the units of runtime/threads.h: cycles / Machine::parallel_start. It is a Float(64),
// so that nothing overflows. "machine" runs the loop.
HExpr emitted_work(const For& loop, const Scope& scope, const Machine& machine);

}  // namespace strata::halide
