// Atomic steps that the threads of a warp take at one place, as one step of the warp.
#pragma once

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// In code for CUDA, of a step (arithmetic/atomic_steps.h) at a place that is the same in all
// iterations of the thread loop on axis x, of 32 n iterations, so that a warp runs along it:
//
//     if (U && C) place = step(place, value)
//  ~> if (U)
//       v = C ? value : neutral
//       v = op(v, shuffle(v, 16)); ..; v = op(v, shuffle(v, 1))      in all threads of the warp
//       if (this is the first thread of the warp with C) place = step(place, v)
//
// where shuffle(v, n) is the v of the thread whose number differs in bit n. C has the conditions
// that depend on x. U, and the conditions and bounds around, are the same for all threads of a
// warp: so all of them come to the shuffles, which wait for each other. The first of them takes the
// step, since what only it touches has no barrier: a result with one contribution.
HStmt with_warp_steps(const HStmt& statement);

}  // namespace strata::halide
