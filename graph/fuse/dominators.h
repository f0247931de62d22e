// Dominators of acyclic graphs, as lowest common ancestors in the tree made so far (Cooper, Harvey,
// Kennedy, "A Simple, Fast Dominance Algorithm", 2001, without its iteration).
#pragma once

#include <string>
#include <vector>

#include "graph/fuse/fusion_graph.h"

namespace strata::graph {

// A node of the tree.
struct Dominator {
  int parent = -1;                            // the nearest node that all ways pass; -1: none
  int depth = 1;                              // of the nodes above, and itself
  FusionKind kind = FusionKind::elementwise;  // of all edges on the ways to the parent
};
using DominatorTree = std::vector<Dominator>;

// The dominators from node 0, the root. Each other node stands after its predecessors. A node that
// the root does not reach has no parent.
DominatorTree dominators(const std::vector<std::vector<int>>& predecessors);

// The post-dominators: the parent of a node is where all of its uses meet. An external node has no
// parent.
DominatorTree post_dominators(const FusionGraph& graph);

// The tree as text. Each node has an indented line, with its kind, below the line of its parent:
//     6 (elementwise)
//       5 (elementwise)
std::string text_of(const DominatorTree& tree);

}  // namespace strata::graph
