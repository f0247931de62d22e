// The sequential orders that vector loops permit.
//
// A vector loop runs its lanes one after the other through the whole body, or moves them innermost
// (an execution is then one instruction for all lanes), or does either for each part of the body.
// A choice says, for each vector loop and each place inside it, whether the lanes run one after the
// other from there on.
#pragma once

#include <functional>
#include <set>

#include "reference/executions.h"

namespace strata::reference {

// (path of the vector loop, path of the place inside it) -> run the lanes one after the other?
using LaneChoice =
    std::function<bool(const std::vector<int>& loop, const std::vector<int>& inside)>;

// Lockstep for the vector loops at these paths, lane after lane for all others.
LaneChoice lockstep_of(std::set<std::vector<int>> loops);
// A random choice for each loop and each place.
LaneChoice mixed(std::uint64_t seed);

// The paths of the vector loops around these executions.
std::set<std::vector<int>> vector_loops(const std::vector<Scheduled>& all);

// Executions with equal keys form one vector instruction; "lanes" orders them inside it.
struct OrderKey {
  Point key;
  Point lanes;
};
OrderKey order_key(const Scheduled& execution, const LaneChoice& choice);

// The executions as a sequence of instructions; the numbers index "all".
using Instruction = std::vector<std::size_t>;
std::vector<Instruction> instructions(const std::vector<Scheduled>& all, const LaneChoice& choice);

}  // namespace strata::reference
