// Modules as pages in HTML (docs/fusion.md, "A page of a module").
#pragma once

#include <string>

#include "graph/ir/module.h"
#include "graph/pass/groups.h"

namespace strata::graph {

struct ModulePageOptions {
  Fusion fusion = {.level = -1, .by_bytes = true};
  bool kernels = true;      // compile the groups, and show their kernels
  std::string passes = {};  // PassTimes::render() of the run that made the module
};

// One HTML file that needs no other file: the graph with its groups, why each edge is fused or
// apart, the post-dominators, and for each group its tensor operations and its kernel. Primitive
// functions of the module are groups, too. What cannot be compiled is shown with the reason.
std::string to_html(const Module& module, const ModulePageOptions& options = {},
                    const Where& where = Where::here());
// Two modules side by side, without kernels, for example before and after a pass. What only one of
// them has, or defines otherwise, is marked.
std::string to_html(const Module& before, const Module& after,
                    const ModulePageOptions& options = {}, const Where& where = Where::here());

}  // namespace strata::graph
