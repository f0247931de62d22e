// Which nodes become one kernel: the rules of Relay's FuseOps.
#pragma once

#include <string>
#include <vector>

#include "graph/fuse/fusion_graph.h"

namespace strata::graph {

struct PartitionOptions {
  int level = 2;          // 0: each node alone
  int max_depth = 256;    // the most nodes in a group
  bool by_bytes = false;  // join groups as by_bytes.h says
  int max_stages = 12;    // the most operators that reduce in a group made by bytes
};

// For each node, the root of its group: the only node of the group that other groups use.
//
// A group grows to the immediate post-dominator of a node, along all ways there. So it is convex
// and has one root. It has at most one node of the kind out_elementwise_fusable. There are three
// rounds. The first fuses elementwise nodes and broadcasts into their readers, and products and
// windows into the elementwise nodes after them. The second fuses injective nodes and tuples into
// injective readers. The third fuses injective nodes into tuples.
std::vector<int> partition(const FusionGraph& graph, const PartitionOptions& options = {});

// The partition. For each node it also says whether the node is in a group with its readers, and
// which rule decided: "a reduction is not fused into what reads it".
struct ExplainedPartition {
  std::vector<int> roots;
  std::vector<std::string> reasons;
};
ExplainedPartition explained_partition(const FusionGraph& graph,
                                       const PartitionOptions& options = {});

}  // namespace strata::graph
