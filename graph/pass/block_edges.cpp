#include "graph/pass/block_edges.h"

namespace strata::graph {

BlockEdges::BlockEdges(const GraphFunction& function, const Block& block,
                       const PartitionOptions& options)
    : block_(block_graph(function, block)), partition_(explained_partition(block_, options)) {
  for (std::size_t n = 0; n < block_.bindings.size(); ++n)
    if (block_.bindings[n]) nodes_[block_.bindings[n]->value.node().get()] = int(n);
}

std::vector<BlockEdges::Edge> BlockEdges::edges() const {
  std::vector<Edge> all;
  for (std::size_t n = 0; n < block_.graph.size(); ++n)
    for (const FusionNode::Output& output : block_.graph[n].outputs)
      all.push_back(edge(int(n), output.consumer));
  return all;
}

std::string BlockEdges::of(const ValueNode* last) const {
  const int group = partition_.roots[std::size_t(nodes_.at(last))];
  std::string lines;
  for (const Edge& e : edges())
    if (partition_.roots[std::size_t(e.from)] == group ||
        partition_.roots[std::size_t(e.to)] == group)
      lines += e.text + "\n";
  return lines;
}

std::string BlockEdges::name(int node) const {
  const std::string& name = block_.graph[std::size_t(node)].name;
  const Binding* b = block_.bindings[std::size_t(node)];
  return b ? "%" + b->value.name() + " (" + name + ")" : name;
}

BlockEdges::Edge BlockEdges::edge(int producer, int reader) const {
  const auto p = std::size_t(producer);
  const bool is_fused = partition_.roots[p] == partition_.roots[std::size_t(reader)];
  std::string decision = "from outside";
  if (is_fused)
    decision = "fused, " + partition_.reasons[p];
  else if (block_.bindings[p])
    decision = "apart, " + partition_.reasons[p];
  return {producer, reader, is_fused, name(producer) + " -> " + name(reader) + ": " + decision};
}

}  // namespace strata::graph
