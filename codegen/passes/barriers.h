// Barriers outside of conditions.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

// Under a condition without an else, the code around a barrier stays conditional, and the barrier
// does not:
//
//     if (c) { A; barrier; B }  ~>  if (c) A; barrier; if (c) B
//
// c is the same in all threads of a block (R607). So in the first form all threads pass the barrier
// or none does, and in the second all may pass it. Some drivers get the first form wrong: on PoCL
// 3.1 a thread ran a part of B that a condition excludes.
Kernel with_barriers_outside(const Kernel& kernel);

}  // namespace strata
