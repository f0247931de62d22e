// Upper bounds on the number of steps of loops.
#pragma once

#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata::halide {

// A loop without a constant extent, and an upper bound of its steps as a function of the
// parameters.
struct LoopSteps {
  std::string name;
  Expr most;
};

// For each loop: the minimum, over the operands u of a min in its upper bound and l of a max in its
// lower one, of the largest value of u - l, as a linear form, over the loops around. So a tile
// [32 t, min(N, 32 t + 32)) has at most 32 steps whatever N is. E0502 if a bound depends on the
// contents of a buffer.
std::vector<LoopSteps> find_steps_of_loops(const Kernel& kernel);

}  // namespace strata::halide
