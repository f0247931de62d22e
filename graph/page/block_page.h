// Dataflow blocks as a page shows them.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/pass/block_edges.h"
#include "viewer/module_page.h"

namespace strata::graph {

// The mark of a variable: "n:main.lv".
std::string mark_of(const std::string& function, const std::string& variable);

// The group of each variable that is bound to a part of one; others are not there.
using GroupNumbers = std::unordered_map<const ValueNode*, int>;

struct BlockPage {
  ModulePage::Graph graph;
  GroupNumbers groups = {};  // of the bindings
  std::map<int, std::vector<ModulePage::Line>> edges =
      {};  // inside of each group and at its border
};
// "exits" has the number of each group, by the variable of its root.
BlockPage block_page(const GraphFunction& function, const BlockEdges& edges,
                     const GroupNumbers& exits);

}  // namespace strata::graph
