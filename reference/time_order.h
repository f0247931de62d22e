// The partial order of executions, decided for two executions of one mapping.
#pragma once

#include "reference/executions.h"

namespace strata::reference {

// a B b, at the first level where they differ (reference/processors.h):
//   static, or in turn   a < b
//   in any order         never
//   in lanes             a < b and the rest, without this level, in B
bool before(const Scheduled& a, const Scheduled& b);

// True if they may run at the same time: the first level where they differ, ignoring lanes, runs in
// any order.
bool concurrent(const Scheduled& a, const Scheduled& b);

}  // namespace strata::reference
