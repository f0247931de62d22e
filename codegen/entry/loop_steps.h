// Upper bounds on the number of steps of loops.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata {

// A loop without a constant extent, and an upper bound of its steps as a function of the
// parameters.
struct LoopSteps {
  std::string name;
  Expr most;
  std::optional<std::size_t> axis = {};  // of the grid, for a loop over blocks: 0 is x
};

// For each such loop, and each loop over blocks, also of a constant extent. Let u be an operand of
// the minima in its upper bound and l one of the maxima in its lower bound: then the largest value
// of u - l over the loops around bounds the steps. The result is the smallest of these bounds, so a
// tile [32 t, min(N, 32 t + 32)) has at most 32 steps whatever N is. E0502 if no u - l is bounded
// by the parameters, as where l is read from a buffer.
std::vector<LoopSteps> find_steps_of_loops(const Kernel& kernel);

}  // namespace strata
