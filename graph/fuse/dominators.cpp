#include "graph/fuse/dominators.h"

#include <fmt/format.h>

namespace strata::graph {

namespace {

// The nearest node above both, or -1. Combines "passed" with the kinds of the edges on the way
// there.
int common_ancestor(const DominatorTree& tree, int a, int b, FusionKind& passed) {
  const auto climb = [&](int& node) {
    passed = combined(passed, tree[node].kind);
    node = tree[node].parent;
  };
  while (a != b && a >= 0 && b >= 0) {
    const int difference = tree[a].depth - tree[b].depth;
    if (difference >= 0) climb(a);
    if (difference <= 0) climb(b);
  }
  return a == b ? a : -1;
}

// The dominator of a node with these consumers.
Dominator dominated_by(const DominatorTree& tree, const std::vector<FusionNode::Output>& next) {
  Dominator made{next[0].consumer, 1, next[0].kind};
  for (std::size_t k = 1; k < next.size() && made.parent >= 0; ++k) {
    made.parent = common_ancestor(tree, made.parent, next[k].consumer, made.kind);
    made.kind = combined(made.kind, next[k].kind);
  }
  if (made.parent >= 0) made.depth = tree[made.parent].depth + 1;
  return made;
}

}  // namespace

DominatorTree dominators(const std::vector<std::vector<int>>& predecessors) {
  DominatorTree tree(predecessors.size());
  for (std::size_t n = 1; n < predecessors.size(); ++n) {
    std::vector<FusionNode::Output> reached;
    for (const int p : predecessors[n])
      if (p == 0 || tree[p].parent >= 0) reached.push_back({p, FusionKind::elementwise});
    if (!reached.empty()) tree[n] = dominated_by(tree, reached);
  }
  return tree;
}

DominatorTree post_dominators(const FusionGraph& graph) {
  DominatorTree tree(graph.size());
  for (std::size_t n = graph.size(); n-- > 0;)
    if (graph[n].is_external || graph[n].outputs.empty())
      tree[n].kind = FusionKind::opaque;
    else
      tree[n] = dominated_by(tree, graph[n].outputs);
  return tree;
}

std::string text_of(const DominatorTree& tree) {
  std::vector<std::vector<int>> children(tree.size());
  std::vector<int> open;
  for (int n = int(tree.size()) - 1; n >= 0; --n)
    (tree[n].parent < 0 ? open : children[tree[n].parent]).push_back(n);
  std::string text;
  while (!open.empty()) {
    const int n = open.back();
    open.pop_back();
    text += fmt::format("{:{}}{} ({})\n", "", 2 * (tree[n].depth - 1), n, to_string(tree[n].kind));
    open.insert(open.end(), children[n].begin(), children[n].end());
  }
  return text;
}

}  // namespace strata::graph
