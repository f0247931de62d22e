// The sections of a kernel whose times and bytes a profile has: its outermost loops.
#pragma once

#include "codegen/lower.h"

namespace strata {

// "state.kernel" with a section at each outermost loop. It is named by the loop and by what is
// computed inside, "j0: panel, sums, c". The bytes of a section are those of the bounding box, in
// each buffer that lives as long as the kernel runs, of what these computations touch
// (codegen/memory/boxes.h).
Kernel with_sections(const Lowering& state, const Kernel& kernel);

}  // namespace strata
