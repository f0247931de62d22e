// Atomic steps that the threads of a warp take at one place, as one step of the warp.
#pragma once

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// In code for CUDA, rewrites a step (arithmetic/atomic_steps.h) whose place is the same in all
// iterations of the thread loop on axis x. The loop has 32 n iterations, so that a warp runs along
// it:
//
//     if (U && C) place = step(place, value)
//  ~> if (U)
//       v = C ? value : neutral
//       v = op(v, shuffle(v, 16)); ..; v = op(v, shuffle(v, 1))      in all threads of the warp
//       if (this is the first thread of the warp with C) place = step(place, v)
//
// where shuffle(v, n) is the v of the thread whose number differs in bit n. C has the conditions
// that depend on x. U, and the conditions and bounds around, are the same for all threads of a
// warp. So all of them reach the shuffles, which wait for each other. The step is taken by a thread
// with C: if a result has one contribution, only the thread of this contribution touches it,
// without a barrier.
HStmt with_warp_steps(const HStmt& statement);

}  // namespace strata::halide
