// The executions of a loop tree, in order, for comparison with Theta.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "codegen/lower.h"
#include "reference/handmade.h"
#include "reference/points.h"

namespace strata::test {

using reference::Handmade;
using reference::Parameters;
using reference::Point;

struct TracedLoop {
  std::string name;
  Processor processor;
  bool operator==(const TracedLoop&) const = default;
};

struct Traced {
  std::string computation;
  Point instance;
  std::vector<TracedLoop> loops;  // outermost first
};

struct TracedPrefetch {
  std::string buffer;
  Point iterators;  // of the enclosing loops
  Point lowers, extents;
};

// All executions, with every loop run in ascending order.
std::vector<Traced> trace(const Kernel& kernel, const Parameters& parameters);
// All prefetches, in the same order.
std::vector<TracedPrefetch> prefetches(const Kernel& kernel, const Parameters& parameters);

// The kernel of "program", with its inputs and outputs as arguments in the order of the layout.
Kernel lowered(const Program& program, StageRun* stages = nullptr);

// Requires that at each size the kernel runs the executions of Theta, each once and in the order of
// Theta, inside the loops around its branch in the mapping: no others, in their order, with their
// processors. Only loops with one iteration under their prefix may be missing.
void require_theta(const Program& program, const std::vector<Parameters>& sizes);

// All For nodes in the tree, in the order of the text.
std::vector<For> loops(const Kernel& kernel);
// The constant extents of the For nodes around the executions of a computation: {8, 16}; 0 for an
// extent that is not constant. One list per Execute node.
std::vector<std::vector<std::int64_t>> extents_around(const Kernel& kernel,
                                                      const std::string& computation);
// The number of nodes of each kind in the tree.
int count_executes(const Kernel& kernel);
int count_ifs(const StmtPtr& stmt);
bool has_min_or_max(const Expr& e);

}  // namespace strata::test
