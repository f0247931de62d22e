#include "graph/fuse/by_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>

#include "core/machine/machine.h"
#include "graph/fuse/dominators.h"
#include "graph/fuse/kept_dims.h"
#include "graph/ir/likely.h"

namespace strata::graph {

namespace {

// What the machine says of a joined kernel.
struct Limits {
  double bytes;       // of a stage, in one iteration
  double iterations;  // of the loops that all stages share, at least

  static Limits of(const Machine& machine) {
    const std::size_t level = std::min<std::size_t>(1, machine.caches.size() - 1);
    return {machine.caches.empty() ? 0 : double(machine.caches[level].bytes) / 2,
            4.0 * machine.cores};
  }
};

// Nodes in ascending order, so that each one stands after the nodes that it reads.
using Nodes = std::set<int>;

class Joining {
 public:
  Joining(const BlockGraph& block, ExplainedPartition fused, const PartitionOptions& options)
      : block_(block),
        tree_(post_dominators(block.graph)),
        options_(options),
        limits_(Limits::of(machine())),
        roots_(std::move(fused.roots)),
        reasons_(std::move(fused.reasons)),
        members_(block.graph.size()) {
    for (std::size_t n = 0; n < roots_.size(); ++n) {
      members_[std::size_t(roots_[n])].insert(int(n));
      if (block.bindings[n]) nodes_.emplace(block.bindings[n]->value.node().get(), int(n));
    }
    for (int n = 0; n < int(roots_.size()); ++n) {
      if (roots_[std::size_t(n)] != n || !computes(n)) continue;
      stages_.push_back(n);
      if (std::any_of(members_[std::size_t(n)].begin(), members_[std::size_t(n)].end(),
                      [this](int member) { return reduces(member); }))
        reducing_.insert(n);
    }
  }

  // Joining two groups may make room for others on their ways; so there are several rounds.
  ExplainedPartition made() && {
    constexpr int most_rounds = 3;
    const auto saved = [this](int n) { return likely_bytes(type(n)); };
    std::stable_sort(stages_.begin(), stages_.end(),
                     [&](int a, int b) { return saved(a) > saved(b); });
    bool changed = true;
    for (int round = 0; changed && round < most_rounds; ++round) {
      changed = false;
      for (const int stage : stages_) changed |= join(stage);
    }
    return {std::move(roots_), std::move(reasons_)};
  }

 private:
  const ValueType& type(int n) const { return block_.bindings[std::size_t(n)]->value.type(); }
  std::string name(int n) const { return "%" + block_.bindings[std::size_t(n)]->value.name(); }

  bool reduces(int n) const {
    const FusionKind kind = block_.graph[std::size_t(n)].kind;
    return kind == FusionKind::reduction || kind == FusionKind::out_elementwise_fusable;
  }

  // Is the node an operator with one result of known extents?
  bool computes(int n) const {
    const Binding* const b = block_.bindings[std::size_t(n)];
    return b && b->as<OperatorCall>() && block_.graph[std::size_t(n)].kind < FusionKind::tuple &&
           type(n).is_tensor() && type(n).dims() && type(n).element();
  }

  // Joins the group of a stage with all groups up to where its uses meet.
  bool join(int stage) {
    const int end = tree_[std::size_t(stage)].parent;
    if (roots_[std::size_t(stage)] != stage || end < 0) return false;
    const int root = roots_[std::size_t(end)];
    const std::optional<Nodes> parts = parts_up_to(stage, end);
    if (!parts) return refuse(stage, "a group of too many operators would be made");
    Nodes nodes = members_[std::size_t(root)];
    for (const int part : *parts) {
      if (!computes(part) || !computes(root)) return false;
      nodes.insert(members_[std::size_t(part)].begin(), members_[std::size_t(part)].end());
    }
    if (const std::string why = why_apart(root, nodes); !why.empty()) return refuse(stage, why);
    for (const int part : *parts) {
      reasons_[std::size_t(part)] =
          "its part for an iteration of the loops of " + name(root) + " stays in a cache";
      members_[std::size_t(part)].clear();
    }
    for (const int n : nodes) roots_[std::size_t(n)] = root;
    members_[std::size_t(root)] = std::move(nodes);
    return true;
  }

  bool refuse(int stage, const std::string& why) {
    reasons_[std::size_t(stage)] = why;
    return false;
  }

  // The roots of the groups on the ways from a stage to where its uses meet, without the group
  // there. Nothing if they are too many.
  std::optional<Nodes> parts_up_to(int stage, int end) const {
    const int root = roots_[std::size_t(end)];
    Nodes seen{stage}, parts;
    std::vector<int> open{stage};
    while (!open.empty()) {
      const int n = open.back();
      open.pop_back();
      if (roots_[std::size_t(n)] != root) parts.insert(roots_[std::size_t(n)]);
      for (const FusionNode::Output& output : block_.graph[std::size_t(n)].outputs)
        if (output.consumer != end && seen.insert(output.consumer).second)
          open.push_back(output.consumer);
      if (int(seen.size()) > options_.max_depth) return std::nullopt;
    }
    return parts;
  }

  // Empty if the nodes can be one kernel, whose result is that of "root".
  std::string why_apart(int root, const Nodes& nodes) const {
    if (int(nodes.size()) > options_.max_depth)
      return fmt::format("a group of more than {} nodes would be made", options_.max_depth);
    if (std::count_if(nodes.begin(), nodes.end(), [this](int n) { return reduces(n); }) >
        options_.max_stages)
      return fmt::format("a group with more than {} reductions would be made", options_.max_stages);
    const std::unordered_map<int, int> kept = shared_loops(root, nodes);
    int shared = type(root).dims()->rank();
    const auto is_row = [&](int n, int d) { return type(n).dims()->rank() <= d + 1; };
    for (const int stage : stages_in(nodes, root)) {
      const int d = kept.at(stage);
      shared = std::min(shared, d);
      if (d == 0) return "each iteration of the loops of " + name(root) + " needs all of it";
      if (reducing_.contains(stage) && !(is_row(stage, d) && is_row(root, d)))
        return fmt::format("{} and {} share {} loops, which leave more than a row", name(stage),
                           name(root), d);
      const double needed =
          likely_elements(type(stage).dims()->from(d)) * double(bytes(*type(stage).element()));
      if (needed > limits_.bytes)
        return fmt::format(
            "an iteration of {} loops of {} needs {:.0f} bytes of {}, more than "
            "half of the second cache",
            d, name(root), needed, name(stage));
    }
    const double iterations = likely_elements(type(root).dims()->first(shared));
    if (iterations < limits_.iterations)
      return fmt::format(
          "the loops of {} that it could share have {:.0f} iterations, too few for "
          "all cores",
          name(root), iterations);
    return "";
  }

  Nodes stages_in(const Nodes& nodes, int root) const {
    Nodes found;
    for (const int n : stages_)
      if (n != root && nodes.contains(n)) found.insert(n);
    return found;
  }

  // d of each node, as in the header.
  std::unordered_map<int, int> shared_loops(int root, const Nodes& nodes) const {
    std::unordered_map<int, int> shared;
    for (const int n : nodes) shared[n] = std::numeric_limits<int>::max();
    shared[root] = type(root).dims()->rank();
    for (auto n = nodes.rbegin(); n != nodes.rend(); ++n) {
      const Binding* const b = block_.bindings[std::size_t(*n)];
      if (!b) continue;
      const int own = shared[*n];
      const auto* call = b->as<OperatorCall>();
      const std::vector<int> kept = call ? kept_dims(*call, b->where) : std::vector<int>();
      std::size_t k = 0;
      for_each_operand(*b->definition, [&](const Value& operand) {
        const int d = k < kept.size() ? std::min(own, kept[k]) : own;
        ++k;
        for_each_variable(operand, [&](const Value& v) {
          if (const auto node = nodes_.find(v.node().get()); node != nodes_.end())
            if (const auto found = shared.find(node->second); found != shared.end())
              found->second = std::min(found->second, d);
        });
      });
    }
    return shared;
  }

  const BlockGraph& block_;
  DominatorTree tree_;
  PartitionOptions options_;
  Limits limits_;
  std::vector<int> roots_;            // of the group of each node
  std::vector<std::string> reasons_;  // as in ExplainedPartition
  std::vector<Nodes> members_;        // of the group of each root
  std::vector<int> stages_ = {};      // the roots of the groups of FuseOps that compute
  Nodes reducing_ = {};               // those whose groups reduce
  std::unordered_map<const ValueNode*, int> nodes_ = {};
};

}  // namespace

ExplainedPartition explained_partition(const BlockGraph& block, const PartitionOptions& options) {
  ExplainedPartition fused = explained_partition(block.graph, options);
  if (!options.by_bytes || options.level == 0) return fused;
  return Joining(block, std::move(fused), options).made();
}

}  // namespace strata::graph
