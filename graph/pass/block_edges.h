// The edges of a dataflow block, with the reasons why they are fused, or apart.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "graph/fuse/by_bytes.h"

namespace strata::graph {

class BlockEdges {
 public:
  struct Edge {
    int from, to;  // nodes of the graph
    bool is_fused;
    std::string text;  // "%lv (dense) -> %gv (relu): fused, a product or window takes ..."
  };
  BlockEdges(const GraphFunction& function, const Block& block, const PartitionOptions& options);

  const BlockGraph& block() const { return block_; }
  const std::vector<int>& roots() const { return partition_.roots; }
  std::vector<Edge> edges() const;
  // The edges inside and at the border of the group whose last variable this is, a line each.
  std::string of(const ValueNode* last) const;

 private:
  std::string name(int node) const;
  Edge edge(int producer, int reader) const;

  BlockGraph block_;
  ExplainedPartition partition_;
  std::unordered_map<const ValueNode*, int> nodes_ = {};
};

}  // namespace strata::graph
