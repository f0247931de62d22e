// Launches on a GPU: their grids, and the sizes of their blocks.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

// Puts each outermost block loop into a Launch. The numbers of blocks are upper - lower of the
// nested block loops, innermost first. On each axis, a block has as many threads as the longest
// thread loop of that axis has iterations, in any branch.
Kernel with_launches(const Kernel& kernel);

// The numbers of threads of a block that runs "s", x first: on each axis the most iterations of a
// thread loop.
std::vector<std::int64_t> threads_in(const StmtPtr& s);

}  // namespace strata
