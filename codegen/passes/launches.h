// Launches on a GPU: their grids, and the sizes of their blocks.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

// Puts each outermost block loop into a Launch. The numbers of blocks are upper - lower of the
// nested block loops, innermost first; a block has on each axis the most iterations that a thread
// loop of that axis has, in any branch.
Kernel with_launches(const Kernel& kernel);

// The threads of a block that runs "s": the most iterations on each axis, x first.
std::vector<std::int64_t> threads_in(const StmtPtr& s);

}  // namespace strata
