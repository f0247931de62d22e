// The statements of a loop tree with what is around them, and how often they run.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/remarks/estimate.h"
#include "codegen/tree/operations.h"
#include "codegen/tree/realization.h"
#include "core/machine/machine.h"

namespace strata {

// A loop around a statement, with its number of iterations for typical sizes.
struct SiteLoop {
  const For* loop;
  double extent;
};

// A condition around a statement, inside the first "depth" loops around it.
struct SiteCondition {
  const If* condition;
  std::size_t depth;
};

// An allocation around a statement, inside the first "depth" loops around it.
struct SiteAllocation {
  const Allocate* allocate;
  std::size_t depth;
};

struct RemarkSite {
  const Execute* execute;
  std::vector<SiteLoop> loops;  // outermost first
  std::vector<SiteCondition> conditions = {};
  std::vector<SiteAllocation> allocations = {};
  const Launch* launch = nullptr;  // that it runs in; null: it runs on the host
  double runs = 1;                 // executions, estimated

  // Operations of all executions: runs * (1 + arithmetic(*execute)).
  double work() const;
  // The innermost loop that is one in the code, with more than one iteration: its position.
  std::optional<std::size_t> inner_loop() const;
  // The innermost loop whose iterations are lanes of vectors.
  const SiteLoop* lanes() const;
};

// The text of an expression, cut if it is long, with the author's names of the loops.
std::string text_at(const RemarkSite& site, const Expr& e);
// Do the bounds of the loops at positions after "outer", up to "last", change with the loop at
// position "outer"?
bool bounds_change(const RemarkSite& site, std::size_t outer, std::size_t last);

// What the kinds of remarks ask.
struct Tree {
  const Kernel& kernel;
  Machine machine;
  Values sizes;
  std::vector<RemarkSite> sites;               // those that run, for these sizes
  std::map<const For*, double> parallel = {};  // the cycles of each parallel loop
};

// The statements of the kernel's body (not those of "fallback"). The number of times that they run
// is estimated from the middle iteration of each loop around them.
Tree tree_of(const Kernel& kernel, const Machine& machine, const Values& sizes);

// "with N = 1000, M = 1000", or "" for a kernel without parameters.
std::string sizes_text(const Tree& tree);

}  // namespace strata
