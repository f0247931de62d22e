// The sequential orders that vector loops permit.
//
// A vector loop runs its lanes one after the other through the whole body, or moves them innermost
// (an execution is then one instruction for all lanes), or does either for each part of the body.
// A choice says, for each vector loop and each place inside it, whether the lanes are run from
// there on one after the other.
#pragma once

#include <functional>
#include <set>

#include "tests/judge/executions.h"

namespace strata::judge {

// (path of the vector loop, path of the place inside it) -> run the lanes one after the other here?
using LaneChoice =
    std::function<bool(const std::vector<int>& loop, const std::vector<int>& inside)>;

// The lanes of the vector loops at these paths innermost, all others lane after lane.
LaneChoice lockstep_of(std::set<std::vector<int>> loops);
// Each loop and each place by the toss of a coin.
LaneChoice mixed(std::uint64_t seed);

// The paths of the vector loops around these executions.
std::set<std::vector<int>> vector_loops(const std::vector<Scheduled>& all);

// Executions with equal keys are one vector instruction; "lanes" orders them inside it.
struct OrderKey {
  Point key;
  Point lanes;
};
OrderKey order_key(const Scheduled& execution, const LaneChoice& choice);

// The executions as a sequence of instructions; numbers refer to "all".
using Instruction = std::vector<std::size_t>;
std::vector<Instruction> instructions(const std::vector<Scheduled>& all, const LaneChoice& choice);

}  // namespace strata::judge
