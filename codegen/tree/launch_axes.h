// The axes of the loops of a launch.
#pragma once

#include <cstddef>

#include "codegen/tree/loop_tree.h"

namespace strata {

// The axis of a loop over blocks or threads: the number of such loops directly inside each other in
// its body; 0 is x.
std::size_t axis_of(const For& loop);
}  // namespace strata
