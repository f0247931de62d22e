// Rules of the loop tree.
//
//  R601 a variable is bound by one loop only, a buffer is not allocated inside an allocation of its
//       name, and no name has two kinds
//  R602 every variable in an expression is bound by a loop around it, every parameter is one of the
//       kernel
//  R603 a bound, an index and an instance's coordinate are int64, a condition is boolean
//  R604 every load and store names an argument, or an allocation around it that is not freed yet,
//       has one index for each of its dimensions, and the type of its elements; what is freed is an
//       allocation
//  R605 an extent equals the difference of the bounds where that is constant; that of a thread
//       loop is known
//  R606 an atomic execution is a step: make(*atomic, {the place's load, ..})
//  R607 no launch and no copy to or from a device is inside a launch; a barrier is, outside of the
//       loops whose iterations threads or lanes share, so that all threads of a block pass it; a
//       wait for asynchronous copies is inside a launch
//  R608 a product of a warp is inside thread loops of 8 (axis y) and 4 iterations (axis x) from 0,
//       without a condition or bound on their variables around it; it has as many values as its
//       shape asks for, which are loads of its type, and float32 sums
#pragma once

#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata {

// The violations of rules, one line each: "R602 in the loop i1: j is not a variable here".
std::vector<std::string> findings(const Kernel& kernel);

}  // namespace strata
