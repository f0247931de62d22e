// Which nodes become one kernel: the rules of Relay's FuseOps.
#pragma once

#include <string>
#include <vector>

#include "graph/fuse/fusion_graph.h"

namespace strata::graph {

struct PartitionOptions {
  int level = 2;        // 0: each node alone
  int max_depth = 256;  // the most nodes in a group
};

// For each node, the root of its group: the one node of it that others use.
//
// A group grows to the immediate post-dominator of a node, along all ways there, so it is convex
// and has one root; it has at most one node of the kind out_elementwise_fusable. In three rounds:
// first what is elementwise or a broadcast is fused into what follows, and products and windows
// into what is elementwise after them; then injective nodes and tuples; then injective nodes into
// tuples.
std::vector<int> partition(const FusionGraph& graph, const PartitionOptions& options = {});

// The partition, and for each node whether it is in a group with what reads it, and the rule that
// decided: "a reduction is not fused into what reads it".
struct ExplainedPartition {
  std::vector<int> roots;
  std::vector<std::string> reasons;
};
ExplainedPartition explained_partition(const FusionGraph& graph,
                                       const PartitionOptions& options = {});

}  // namespace strata::graph
