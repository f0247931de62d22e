// Converts between 2d+1 maps and the forest that their static dimensions describe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "layers/mapping.h"
#include "schedule/edit/command.h"

namespace strata {

// A static dimension before normalisation: consecutive constants of a map, compared
// lexicographically. The shorter of two keys is padded with zeros.
using StaticKey = std::vector<long>;
bool precedes(const StaticKey& a, const StaticKey& b);

// A loop dimension of one branch.
struct TimeColumn {
  std::optional<long> constant;  // the value of t, if it is the same on the whole branch
  LoopHead head;
  bool exists = false;  // a loop of the program, not one that a map adds
};

// A branch as [b0, t0, b1, .., bd]: statics has one entry more than columns.
struct FlatBranch {
  std::string definition;
  TimeMap time;  // { S[i] -> [t0, .., t(d-1)] }
  InstanceSet instances;
  std::vector<StaticKey> statics;
  std::vector<TimeColumn> columns;
  int reader_loops = 0;              // Branch::reader_loops, counted in columns
  std::string piece = {};            // Branch::piece
  bool asynchronous = false;         // Branch::asynchronous
  std::optional<MmaShape> mma = {};  // Branch::mma
};

// The branches of a forest, in static order.
std::vector<FlatBranch> flattened(const Mapping& mapping);

// The forest with the same lexicographic order. Branches with equal keys b0 .. bp share the loop at
// level p; a branch on which t_p is constant is in one iteration of it. If t_p is constant on all,
// level p is static. A loop has the head of its first branch.
// Errors: E0203 if branches of different definitions would run at the same time, or a branch would
// end where another has a loop.
Mapping forest_of(const std::vector<FlatBranch>& branches, const Command& command);

}  // namespace strata
