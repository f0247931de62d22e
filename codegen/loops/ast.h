// From nests to the loop tree, by isl's AST generation, one loop at a time.
//
// A loop at depth p is generated from the set of its iterations alone,
//
//     { [tp] : [t0, .., tp] is a prefix of a point in the loop },  t0 .. t(p-1) parameters,
//
// in the context of what the loops and guards around it imply for t0 .. t(p-1). Its body follows,
// in the context of what this loop implies for tp. isl finds the bounds, guards, strides and single
// values. The shape of the tree is the shape of the forest: isl never sees two loops, so it can
// neither merge nor interchange them. A loop of one iteration gets no node, but shifts no other
// loop's level. The time grows with the number of loops; for a whole nest it would grow with a
// power of the depth (two levels of three-dimensional tiles, 9 deep: 3.5 s for the nest, 0.15 s
// loop by loop).
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/loops/iteration_box.h"
#include "codegen/loops/own_buffers.h"
#include "codegen/nests/nest.h"
#include "codegen/tree/loop_tree.h"
#include "layers/flow/coherence.h"
#include "layers/flow/communication.h"

namespace strata {

// Makes the statement for an instance S[i] at any of "times" = { B[t] }.
using MakeExecution = std::function<StmtPtr(
    const TimeBranch& branch, const std::vector<Expr>& instance, const isl::set& times)>;

// A buffer that each iteration of a loop has for itself: its lifetime, the box of its places, and
// its memory. In local memory the box may depend on the thread (codegen/tree/thread_variable.h).
struct OwnBox {
  Lifetime life;
  PlaceBox box;
  Memory memory;
};

// By loop: the nodes of its body that a barrier or a wait follows (layers/flow/barriers.h).
using BarriersAfter = std::map<const Loop*, std::map<int, Pause>>;

// How the parts of the tree are made.
struct TreeParts {
  MakeExecution execution;
  std::vector<OwnBuffer> kernel_buffers;  // allocated once for each call of the kernel
  // The buffers that each iteration of "loop" has for itself.
  std::function<std::vector<OwnBox>(const Nest& loop)> own;
  // The copies between host and device in the body of a loop of the mapping, or of the kernel
  // (null).
  std::function<std::vector<CoherenceCopy>(const Loop* loop)> copies;
  // The boxes that each iteration of "loop" prefetches, where "context" holds.
  std::function<std::vector<PlaceBox>(const Nest& loop, const isl::set& context)> prefetched;
  BarriersAfter barriers;  // outside of all conditions in the loop's body
  // Does a vector that the domain boundary cuts run whole, with its other lanes switched off? The
  // author's tail strategy (layers/tail_strategy.h) comes first.
  bool masks = false;
  bool agrees = false;  // do all ranks agree to go on, once the kernel has its memory?
};

// The loop tree that enumerates exactly the points of "nests". Variables are named after their
// loops, with a number where a name is used twice or is in "taken".
StmtPtr loop_tree(const std::vector<Nest>& nests, const TimeSpace& space,
                  std::set<std::string> taken, const TreeParts& parts, const Request& request);

}  // namespace strata
