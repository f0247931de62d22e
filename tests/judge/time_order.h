// The partial order of executions, decided for two executions of one mapping.
#pragma once

#include "tests/judge/executions.h"

namespace strata::judge {

// a B b, at the first level where they differ:
//   static, sequential, unrolled   a < b
//   parallel                       never
//   vector                         a < b and the rest, without this level, in B
bool before(const Scheduled& a, const Scheduled& b);

// May they run at the same time?  True only if the first level where they differ, ignoring vector
// levels, is parallel.
bool concurrent(const Scheduled& a, const Scheduled& b);

}  // namespace strata::judge
