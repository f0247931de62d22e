// exp of vectors of float32, in the code itself.
#pragma once

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// exp(x) with an error of at most 1.5 ulp, by operations that all CPUs have for vectors. "fused":
// by fused multiplications and additions.
HExpr exponential(const HExpr& x, bool fused);

}  // namespace strata::halide
