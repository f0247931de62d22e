// From 2d+1 maps back to the forest whose shape is their static part.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "layers/mapping.h"
#include "schedule/edit/command.h"

namespace strata {

// A static dimension before normalisation: consecutive constants of a map, in lexicographic order;
// a shorter key counts as continued with zeros.
using StaticKey = std::vector<long>;
bool precedes(const StaticKey& a, const StaticKey& b);

// A loop dimension of one branch.
struct TimeColumn {
  std::optional<long> constant;  // t is this number on the whole branch
  LoopHead head;
  bool exists = false;  // it is a loop of the program, and not only asked for
};

// A branch as [b0, t0, b1, .., bd] : statics has one entry more than columns.
struct FlatBranch {
  std::string definition;
  TimeMap time;  // { S[i] -> [t0, .., t(d-1)] }
  InstanceSet instances;
  std::vector<StaticKey> statics;
  std::vector<TimeColumn> columns;
  int placed = 0;  // Branch::placed, of the columns
};

// The branches of a forest, in static order.
std::vector<FlatBranch> flattened(const Mapping& mapping);

// The forest with the same lexicographic order.  Branches with equal keys b0 .. bp and a loop at
// level p share it; a constant t_p among them is a loop of one iteration.  Where all branches with
// equal keys have constants at level p, the constants are static.  A loop has the
// head of the first of its branches.
// Refuses (E0203) branches of different definitions that meet in one time, and a branch that would
// end where another has a loop.
Mapping forest_of(const std::vector<FlatBranch>& branches, const Command& command);

}  // namespace strata
