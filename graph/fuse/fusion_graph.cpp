#include "graph/fuse/fusion_graph.h"

#include <fmt/format.h>

namespace strata::graph {

namespace {

// A depth-first search without recursion, since chains are long.
class Search {
 public:
  explicit Search(const std::vector<FusionInput>& nodes)
      : nodes_(nodes), number_(nodes.size(), unseen), outputs_(nodes.size()) {}

  void from(int root) {
    if (number_[root] == unseen) enter(root);
    while (!open_.empty()) {
      auto& [node, next] = open_.back();
      const auto& arguments = nodes_[node].arguments;
      if (next == arguments.size()) {
        leave(node);
        open_.pop_back();
      } else if (const int argument = arguments[next++].first; number_[argument] == unseen) {
        enter(argument);
      }
    }
  }

  FusionGraph graph() && {
    for (FusionNode& node : left_)
      for (const auto& [consumer, kind] : outputs_[node.given])
        node.outputs.push_back({number_[consumer], kind});
    return std::move(left_);
  }

 private:
  static constexpr int unseen = -2, entered = -1;

  // Adds all edges to the arguments before the search goes on from the arguments.
  void enter(int node) {
    number_[node] = entered;
    for (const auto& [argument, kind] : nodes_[node].arguments)
      outputs_[argument].emplace_back(node, kind);
    open_.emplace_back(node, 0);
  }

  void leave(int node) {
    number_[node] = int(left_.size());
    const FusionInput& given = nodes_[node];
    left_.push_back({given.name, given.kind, given.is_external, node});
  }

  const std::vector<FusionInput>& nodes_;
  std::vector<int> number_;  // by node: its number in the order in which the search leaves nodes
  std::vector<std::vector<std::pair<int, FusionKind>>> outputs_;
  std::vector<std::pair<int, std::size_t>> open_ = {};  // nodes, and their next arguments
  FusionGraph left_ = {};
};

}  // namespace

std::string to_string(FusionKind kind) {
  switch (kind) {
    case FusionKind::elementwise: return "elementwise";
    case FusionKind::broadcast: return "broadcast";
    case FusionKind::injective: return "injective";
    case FusionKind::reduction: return "reduction";
    case FusionKind::out_elementwise_fusable: return "out_elementwise_fusable";
    case FusionKind::tuple: return "tuple";
    case FusionKind::opaque: return "opaque";
  }
  return "";
}

FusionGraph fusion_graph(const std::vector<FusionInput>& nodes, const std::vector<int>& roots) {
  Search search(nodes);
  for (const int root : roots) search.from(root);
  return std::move(search).graph();
}

std::string text_of(const FusionGraph& graph) {
  std::string text;
  for (std::size_t n = 0; n < graph.size(); ++n) {
    text += fmt::format("node[{}] {} outputs=[", n, graph[n].name);
    for (const FusionNode::Output& output : graph[n].outputs)
      text += fmt::format("{}:{}, ", output.consumer, int(output.kind));
    text += "]\n";
  }
  return text;
}

}  // namespace strata::graph
