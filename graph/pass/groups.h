// The groups of a program, and why they are as they are.
#pragma once

#include <string>
#include <vector>

#include "graph/ir/module.h"

namespace strata::graph {

// What FuseOps makes one kernel.
struct Group {
  GraphFunction function;  // primitive
  // A line for each edge inside and at the border:
  //     %lv (dense) -> %gv (relu): fused, a product or window takes what is elementwise after it
  std::string edges;

  // The edges; then, for each kernel of the group, where it computes each member, what was refused
  // and with which witness, and why it is not scheduled, or not one. Compiles the kernels, unless
  // this process has them. Errors: as compile.
  std::string why(const Where& where = Where::here()) const;
};

// Those of all functions, as fuse_ops(level) makes them, in the order of the program.
std::vector<Group> groups_of(const Module& module, int level = -1);

}  // namespace strata::graph
