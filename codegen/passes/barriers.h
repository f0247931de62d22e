// Barriers outside of conditions.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

// In a condition without an else, what is around a barrier becomes conditional, and the barrier is
// not:
//
//     if (c) { A; barrier; B }  ~>  if (c) A; barrier; if (c) B
//
// c is the same in all threads of a block (R607), so all of them pass the barrier in both. Not all
// drivers get the first form right: on PoCL 3.1 a thread ran a part of B that a condition excludes.
Kernel with_barriers_outside(const Kernel& kernel);

}  // namespace strata
