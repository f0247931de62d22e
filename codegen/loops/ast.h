// From nests to the loop tree, by isl's AST generation, one loop at a time.
//
// A loop at depth p is generated from the set of its iterations alone,
//
//     { [tp] : [t0, .., tp] is a prefix of a point in the loop },  t0 .. t(p-1) parameters,
//
// in the context of what the loops and guards around it say of t0 .. t(p-1); then its body, in the
// context of what this loop says of tp.  isl finds the bounds, guards, strides and the single
// values.  The shape of the tree is the shape of the forest: isl never sees two loops, so that it
// can neither merge nor exchange them, a loop of one iteration, which gets no node, shifts nobody's
// level, and the time it takes grows with the number of loops and not with the power of the depth
// that a whole nest costs (two levels of three-dimensional tiles, 9 deep: 3.5 s at once, 0.15 s loop
// by loop).
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "codegen/loops/iteration_box.h"
#include "codegen/nests/nest.h"
#include "codegen/tree/loop_tree.h"

namespace strata {

// What stands for an instance S[i] in the loop tree.
using MakeExecution =
    std::function<StmtPtr(const TimeBranch& branch, const std::vector<Expr>& instance)>;

// Of an iteration of a loop: the buffers that it has for itself; and what it prefetches, where
// "context" is known.
struct IterationBoxes {
  std::function<std::vector<PlaceBox>(const Nest& loop)> own;
  std::function<std::vector<PlaceBox>(const Nest& loop, const isl::set& context)> prefetched;
};

// The loop tree that enumerates exactly the points of "nests".  Variables are named like their
// loops, numbered where a name is used twice or is in "taken".
StmtPtr loop_tree(const std::vector<Nest>& nests, const TimeSpace& space,
                  std::set<std::string> taken, const MakeExecution& make_execution,
                  const IterationBoxes& boxes_of, const Request& request);

}  // namespace strata
