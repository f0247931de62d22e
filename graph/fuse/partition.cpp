#include "graph/fuse/partition.h"

#include <functional>

#include "graph/fuse/dominators.h"

namespace strata::graph {

namespace {

class Partition {
 public:
  Partition(const FusionGraph& graph, int max_depth)
      : graph_(graph), tree_(post_dominators(graph)), max_depth_(max_depth), seen_(graph.size()) {
    for (std::size_t n = 0; n < graph.size(); ++n) groups_.push_back({int(n), graph[n].kind, 1});
  }

  std::vector<int> roots() && {
    for (int round = 0; round < 3; ++round)
      for (std::size_t n = 0; n < graph_.size(); ++n) grow(int(n), round);
    std::vector<int> roots;
    for (std::size_t n = 0; n < graph_.size(); ++n) roots.push_back(find(int(n)));
    return roots;
  }

 private:
  // A node's own group: it stays when the node joins another one, and "kind" and "size" tell what
  // it was when it did.
  struct Group {
    int parent;  // in the forest of unions; itself: the root
    FusionKind kind;
    int size;
  };
  // May the group of a node, of this kind, be on the way; or at its end?
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
    if (kind == FusionKind::opaque || end < 0 || !collect(n, end)) return;
    const FusionKind at_end = groups_[end].kind;
    if (round == 2) {
      if (kind <= FusionKind::injective && at_end == FusionKind::tuple &&
          groups_[find(end)].kind <= FusionKind::injective)
        fuse(n, end, &is_injective);
      return;
    }
    if (find(n) == find(end) || at_end == FusionKind::tuple) return;
    const FusionKind on_the_way = tree_[n].kind;
    if (kind == FusionKind::out_elementwise_fusable) {
      if (round == 0 && on_the_way == FusionKind::elementwise)
        fuse(n, end, [](FusionKind k, bool) { return k <= FusionKind::broadcast; });
    } else if (kind <= FusionKind::broadcast) {
      if (on_the_way <= FusionKind::reduction)
        fuse(n, end, [](FusionKind k, bool is_end) {
          return k <= (is_end ? FusionKind::out_elementwise_fusable : FusionKind::injective);
        });
    } else if (kind == FusionKind::injective || kind == FusionKind::tuple) {
      if (round == 1) fuse(n, end, &is_injective);
    }  // a reduction takes what it reads, and is not taken
  }

  static bool is_injective(FusionKind kind, bool) { return kind <= FusionKind::injective; }

  // Finds the nodes on the ways from n to the end, without the end. False if they and the group of
  // the end are too many for one group.
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

  // Unites the nodes on the way, if all may be there.
  void fuse(int n, int end, const Condition& may_be) {
    for (const int v : way_)
      if (v != n && !may_be(groups_[find(v)].kind, false)) return;
    if (!may_be(groups_[find(end)].kind, true)) return;
    const int into = find(end);
    for (const int v : way_) {
      const int root = find(v);
      if (root == into) continue;
      groups_[root].parent = into;
      groups_[into].size += groups_[root].size;
      // A product or a window decides what may follow; other nodes do not.
      if (groups_[root].kind == FusionKind::out_elementwise_fusable)
        groups_[into].kind = combined(groups_[into].kind, groups_[root].kind);
    }
  }

  const FusionGraph& graph_;
  DominatorTree tree_;
  int max_depth_;
  std::vector<Group> groups_ = {};
  std::vector<int> way_ = {};  // found by collect
  std::vector<int> seen_;      // the search that has seen a node last
  int search_ = 0;
};

}  // namespace

std::vector<int> partition(const FusionGraph& graph, const PartitionOptions& options) {
  if (options.level <= 0) {
    std::vector<int> alone;
    for (std::size_t n = 0; n < graph.size(); ++n) alone.push_back(int(n));
    return alone;
  }
  return Partition(graph, options.max_depth).roots();
}

}  // namespace strata::graph
