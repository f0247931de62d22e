#include "graph/fuse/partition.h"

#include <fmt/format.h>

#include <functional>

#include "graph/fuse/dominators.h"

namespace strata::graph {

namespace {

class Partition {
 public:
  Partition(const FusionGraph& graph, int max_depth)
      : graph_(graph), tree_(post_dominators(graph)), max_depth_(max_depth), seen_(graph.size()) {
    for (std::size_t n = 0; n < graph.size(); ++n) groups_.push_back({int(n), graph[n].kind, 1});
    reasons_.resize(graph.size());
  }

  ExplainedPartition made() && {
    for (int round = 0; round < 3; ++round)
      for (std::size_t n = 0; n < graph_.size(); ++n) grow(int(n), round);
    std::vector<int> roots;
    for (std::size_t n = 0; n < graph_.size(); ++n) roots.push_back(find(int(n)));
    return {std::move(roots), std::move(reasons_)};
  }

 private:
  // A node's own group. The entry stays when the node joins another group; then "kind" and "size"
  // say what the group was at that moment.
  struct Group {
    int parent;  // in the forest of unions; itself: the root
    FusionKind kind;
    int size;
  };
  // May a group of this kind be on the way, or at its end?
  using Condition = std::function<bool(FusionKind kind, bool is_end)>;

  int find(int n) {
    while (groups_[n].parent != n) {
      groups_[n].parent = groups_[groups_[n].parent].parent;
      n = groups_[n].parent;
    }
    return n;
  }

  void grow(int n, int round) {
    const FusionKind kind = groups_[n].kind;
    const int end = tree_[n].parent;
    if (kind == FusionKind::opaque) return stays(n, "it is opaque");
    if (end < 0)
      return stays(n, graph_[n].is_external ? "it is seen outside of the block"
                                            : "what reads it does not meet in one node");
    if (!collect(n, end))
      return stays(n, fmt::format("a group of more than {} nodes would be made", max_depth_));
    const FusionKind at_end = groups_[end].kind;
    if (round == 2) {
      if (kind <= FusionKind::injective && at_end == FusionKind::tuple &&
          groups_[find(end)].kind <= FusionKind::injective)
        fuse(n, end, &is_injective, "what is injective joins a tuple");
      return;
    }
    if (find(n) == find(end)) return;
    if (at_end == FusionKind::tuple) return stays(n, "it is a field of a tuple");
    const FusionKind on_the_way = tree_[n].kind;
    if (kind == FusionKind::out_elementwise_fusable) {
      if (on_the_way != FusionKind::elementwise)
        return stays(n,
                     "a product or window takes only what is elementwise after it, and that is " +
                         to_string(on_the_way));
      if (round == 0)
        fuse(
            n, end, [](FusionKind k, bool) { return k <= FusionKind::broadcast; },
            "a product or window takes what is elementwise after it");
    } else if (kind <= FusionKind::broadcast) {
      if (on_the_way > FusionKind::reduction)
        return stays(n, "an edge on the way to where its readers meet is " + to_string(on_the_way));
      fuse(
          n, end,
          [](FusionKind k, bool is_end) {
            return k <= (is_end ? FusionKind::out_elementwise_fusable : FusionKind::injective);
          },
          "what is " + to_string(kind) + " joins what reads it");
    } else if (kind == FusionKind::injective || kind == FusionKind::tuple) {
      if (round == 1) fuse(n, end, &is_injective, "what is injective joins injective readers");
    } else {
      stays(n, "a reduction is not fused into what reads it");
    }
  }

  // Notes why the node stays alone. The last reason counts, unless the node joins a group.
  void stays(int n, const std::string& reason) {
    if (find(n) == n) reasons_[n] = reason;
  }

  static bool is_injective(FusionKind kind, bool) { return kind <= FusionKind::injective; }

  // Finds the nodes on the ways from n to the end, without the end. False if these nodes and the
  // group of the end are too many for one group.
  bool collect(int n, int end) {
    way_.assign(1, n);
    ++search_;
    seen_[n] = search_;
    int size = groups_[find(end)].size;
    for (std::size_t k = 0; k < way_.size(); ++k) {
      size += groups_[way_[k]].size;
      if (size > max_depth_) return false;
      for (const FusionNode::Output& output : graph_[way_[k]].outputs)
        if (output.consumer != end && seen_[output.consumer] != search_) {
          seen_[output.consumer] = search_;
          way_.push_back(output.consumer);
        }
    }
    return true;
  }

  // Unites the nodes on the way with the group of the end, if all of them may be there.
  void fuse(int n, int end, const Condition& may_be, const std::string& rule) {
    for (const int v : way_)
      if (v != n && !may_be(groups_[find(v)].kind, false)) return stays(n, in_the_way(v));
    if (!may_be(groups_[find(end)].kind, true)) return stays(n, in_the_way(end));
    const int into = find(end);
    for (const int v : way_) {
      const int root = find(v);
      if (root == into) continue;
      reasons_[root] = rule;
      groups_[root].parent = into;
      groups_[into].size += groups_[root].size;
      // A product or a window decides what may follow; other nodes do not.
      if (groups_[root].kind == FusionKind::out_elementwise_fusable)
        groups_[into].kind = combined(groups_[into].kind, groups_[root].kind);
    }
  }

  std::string in_the_way(int v) {
    return fmt::format("the group of {} is {}", graph_[v].name, to_string(groups_[find(v)].kind));
  }

  const FusionGraph& graph_;
  DominatorTree tree_;
  int max_depth_;
  std::vector<Group> groups_ = {};
  std::vector<std::string> reasons_ = {};
  std::vector<int> way_ = {};  // found by collect
  std::vector<int> seen_;      // the last search that has seen each node
  int search_ = 0;
};

}  // namespace

ExplainedPartition explained_partition(const FusionGraph& graph, const PartitionOptions& options) {
  if (options.level > 0) return Partition(graph, options.max_depth).made();
  ExplainedPartition alone;
  for (std::size_t n = 0; n < graph.size(); ++n) alone.roots.push_back(int(n));
  alone.reasons.assign(graph.size(), "level 0 fuses nothing");
  return alone;
}

std::vector<int> partition(const FusionGraph& graph, const PartitionOptions& options) {
  return explained_partition(graph, options).roots;
}

}  // namespace strata::graph
