// The time that a program takes, by an analytic model of relations and the machine alone.
//
// docs/automatic.md has the formulas. All times are cycles of one core.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "automatic/facts/statements.h"
#include "core/machine/machine.h"

namespace strata::automatic {

// The part of an estimate that one outermost node of the mapping takes.
struct NodeEstimate {
  double core = 0;                    // instructions
  std::array<double, 3> memory = {};  // traffic into the caches, the first level first
  double pages = 0;                   // addresses of pages that are looked up again
  double streams = 0;                 // rows of memory that are touched in turn
  double threads = 1;                 // that share the node

  // The largest term, and 0.4 of the others, which overlap it in part, divided by the threads.
  double cycles() const;
};

struct Estimate {
  std::vector<NodeEstimate> nodes;
  double starts = 0;  // of parallel loops

  double cycles() const;
  // "1.2e+06 cycles: core 1.1e+06, L1 2e+05, L2 1e+05, memory 9e+04, pages 3e+04"
  std::string text() const;
  // The name of the largest term: "core", "L1", "L2", "memory", "pages", "threads".
  std::string largest() const;
};

// The estimate; nothing if a loop has no bounds, or the times of an instance are not affine.
std::optional<Estimate> estimate(const Program& program, const Machine& machine,
                                 const Values& sizes, int threads = 1);

}  // namespace strata::automatic
