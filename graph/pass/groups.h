// The groups of a program, with reasons.
#pragma once

#include <string>
#include <vector>

#include "graph/ir/module.h"

namespace strata::graph {

// How operators are put into groups.
struct Fusion {
  int level = -1;         // of FuseOps; -1: that of the context
  bool by_bytes = false;  // as FuseByBytes
};

// Operators that FuseOps or FuseByBytes makes one kernel.
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

// The groups of all functions that the passes make, in the order of the program.
std::vector<Group> groups_of(const Module& module, const Fusion& fusion = {});
// The module's text with the group of each binding, as a comment:
//     %lv1 = relu(%lv)  # group 0, elementwise, root
std::string text_of_groups(const Module& module, const Fusion& fusion = {});

}  // namespace strata::graph
