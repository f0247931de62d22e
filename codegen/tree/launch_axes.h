// The axes of the loops of a launch.
#pragma once

#include <cstddef>

#include "codegen/tree/loop_tree.h"

namespace strata {

// The axis of a loop over blocks or threads: the number of such loops directly inside each other in
// its body; 0 is x.
std::size_t axis_of(const For& loop);
// Is there a thread loop in the statement, or a barrier for all threads?  Other code that stands
// outside of thread loops is run by the first thread alone.
bool runs_in_threads(const StmtPtr& s);

}  // namespace strata
