// The groups of a program, with reasons.
#pragma once

#include <string>
#include <vector>

#include "graph/ir/module.h"

namespace strata::graph {

// Operators that FuseOps makes one kernel.
struct Group {
  GraphFunction function;  // primitive
  // A line for each edge inside and at the border:
  //     %lv (dense) -> %gv (relu): fused, a product or window takes what is elementwise after it
  std::string edges;

  // The edges. Then for each kernel of the group: where it computes each member, the refused
  // candidates with their witnesses, and why it is not scheduled, or why there are several kernels.
  // Compiles the kernels, unless this process has them. Errors: those of compile.
  std::string why(const Where& where = Where::here()) const;
};

// The groups of all functions that fuse_ops(level) makes, in the order of the program.
std::vector<Group> groups_of(const Module& module, int level = -1);

}  // namespace strata::graph
