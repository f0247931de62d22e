// The lowering of a kernel's body, as one table of passes.
//
// STRATA_VERIFY=1 checks the statement after each (verify.h).
#pragma once

#include <vector>

#include "codegen/halide/arithmetic/values.h"
#include "core/stage.h"

namespace strata::halide {

const std::vector<Stage<HStmt>>& passes();

// Runs all of them.
HStmt lower(HStmt statement, const std::string& kernel, StageRun& stages);

// Halide 21 gives a load as many lanes as its index has, and fails where its predicate has more.
// There the index takes the loops' variables along, as v - v, which the simplifier removes once there
// are vectors.
HStmt with_indices_in_lanes(const HStmt& statement);

// A condition that is the whole body of an allocation would be hoisted out of it: the pointer, made
// before the allocation, would be freed only where the condition holds.  A body that ends in a
// statement of its own is no condition.
HStmt with_pinned_allocations(const HStmt& statement);

// Each temporary in the heap is allocated just before the first statement of its block that uses it
// and freed just after the last, so that one whose life has ended leaves its memory to the next.
HStmt with_narrow_lifetimes(const HStmt& statement);

//     if (a == 1) .. else if (a == 2) ..   ~>   if (!(a != 1)) .. else if (!(a != 2)) ..
// for 64-bit a.  Halide 21 makes a switch of the former, with 32-bit cases, which LLVM refuses.
HStmt without_wide_switches(const HStmt& statement);

// Gives every name that Halide made up (t12, b$3) one that depends on the statement alone, so that
// the same kernel becomes the same code whatever was compiled before.
HStmt with_canonical_names(const HStmt& statement);

}  // namespace strata::halide
