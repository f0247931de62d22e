#include "graph/page/block_page.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "graph/fuse/dominators.h"
#include "graph/text/print.h"

namespace strata::graph {

namespace {

class BlockOnPage {
 public:
  BlockOnPage(const GraphFunction& function, const BlockEdges& edges, const GroupNumbers& exits)
      : function_(function), edges_(edges), graph_(edges.block().graph) {
    page_.graph.function = function.name;
    for (std::size_t n = 0; n < graph_.size(); ++n) groups_.push_back(group_of(int(n), exits));
    for (std::size_t n = 0; n < graph_.size(); ++n) add_node(int(n));
    add_edges();
    add_dominators();
  }

  BlockPage page() && { return std::move(page_); }

 private:
  const Binding* binding(int n) const { return edges_.block().bindings[std::size_t(n)]; }

  int group_of(int n, const GroupNumbers& exits) const {
    const Binding* root = binding(edges_.roots()[std::size_t(n)]);
    const auto found = root ? exits.find(root->value.node().get()) : exits.end();
    return found == exits.end() ? -1 : found->second;
  }

  void add_node(int n) {
    const FusionNode& node = graph_[std::size_t(n)];
    const Binding* b = binding(n);
    const auto* call = b ? b->as<FunctionCall>() : nullptr;
    OperatorNode drawn{call ? "@" + call->callee : node.name};
    drawn.group = groups_[std::size_t(n)];
    drawn.is_outside = !b;
    drawn.is_root = b && edges_.roots()[std::size_t(n)] == n;
    if (b || node.is_external)
      drawn.mark = mark_of(function_.name, b ? b->value.name() : node.name);
    drawn.title = b ? "%" + b->value.name() + " = " + text_of(unbound(*b->definition)) + "\n" +
                          b->value.type().text() + ", " + to_string(node.kind)
                    : outside_title(node);
    if (b && drawn.group >= 0) page_.groups[b->value.node().get()] = drawn.group;
    page_.graph.nodes.push_back(std::move(drawn));
  }

  std::string outside_title(const FusionNode& node) const {
    for (const Value& p : function_.parameters)
      if (p.name() == node.name) return "%" + node.name + ": " + p.type().text();
    return node.name;
  }

  void add_edges() {
    std::set<std::pair<int, int>> drawn;
    for (const BlockEdges::Edge& e : edges_.edges()) {
      if (!drawn.emplace(e.from, e.to).second) continue;
      page_.graph.edges.push_back({e.from, e.to, e.is_fused, e.text});
      const ModulePage::Line line{e.text, marks_of(e)};
      const int from = groups_[std::size_t(e.from)], to = groups_[std::size_t(e.to)];
      if (from >= 0) page_.edges[from].push_back(line);
      if (to >= 0 && to != from) page_.edges[to].push_back(line);
    }
  }

  std::string marks_of(const BlockEdges::Edge& e) const {
    const std::string& from = page_.graph.nodes[std::size_t(e.from)].mark;
    const std::string& to = page_.graph.nodes[std::size_t(e.to)].mark;
    return from.empty() ? to : from + " " + to;
  }

  std::string name(int n) const {
    const Binding* b = binding(n);
    const std::string& name = graph_[std::size_t(n)].name;
    return b ? "%" + b->value.name() + " (" + name + ")" : name;
  }

  // Rows from the exits down. The child with the most nodes below it keeps the depth of its parent,
  // so that a chain is not indented; the others stand before it, one level further in.
  void add_dominators() {
    const DominatorTree tree = post_dominators(graph_);
    std::vector<std::vector<int>> children(tree.size());
    std::vector<int> sizes(tree.size(), 1), exits;
    for (std::size_t n = 0; n < tree.size(); ++n)
      if (const int parent = tree[n].parent; parent >= 0) {
        children[std::size_t(parent)].push_back(int(n));
        sizes[std::size_t(parent)] += sizes[n];
      } else {
        exits.push_back(int(n));
      }
    std::vector<std::pair<int, int>> open;  // nodes, and their depths
    for (const int n : exits) open.emplace_back(n, 0);
    while (!open.empty()) {
      const auto [n, depth] = open.back();
      open.pop_back();
      add_row(n, depth, tree[std::size_t(n)]);
      std::vector<int>& below = children[std::size_t(n)];
      std::stable_sort(below.begin(), below.end(),
                       [&](int a, int b) { return sizes[std::size_t(a)] > sizes[std::size_t(b)]; });
      for (std::size_t k = 0; k < below.size(); ++k)
        open.emplace_back(below[k], depth + (k == 0 ? 0 : 1));
    }
  }

  void add_row(int n, int depth, const Dominator& dominator) {
    if (dominator.parent < 0 && !binding(n)) return;  // data from outside
    const std::string where =
        dominator.parent < 0
            ? ": seen outside"
            : ": all uses meet in " + name(dominator.parent) + ", " + to_string(dominator.kind);
    page_.graph.dominators.push_back(
        {{name(n) + where, page_.graph.nodes[std::size_t(n)].mark}, depth});
  }

  const GraphFunction& function_;
  const BlockEdges& edges_;
  const FusionGraph& graph_;
  std::vector<int> groups_ = {};  // of each node; -1: none
  BlockPage page_ = {};
};

}  // namespace

std::string mark_of(const std::string& function, const std::string& variable) {
  std::string mark = "n:" + function + "." + variable;
  for (char& c : mark)
    if (std::isspace(static_cast<unsigned char>(c))) c = '_';
  return mark;
}

BlockPage block_page(const GraphFunction& function, const BlockEdges& edges,
                     const GroupNumbers& exits) {
  return BlockOnPage(function, edges, exits).page();
}

}  // namespace strata::graph
