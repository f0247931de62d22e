// Makes groups of operators functions of their own.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/fuse/block_graph.h"
#include "graph/fuse/partition.h"

namespace strata::graph {

// A group. A call of a primitive function replaces its bindings.
struct FusedGroup {
  GraphFunction function;
  Values arguments;
};

// A call of an operator alone, whatever is known of its arguments.
FusedGroup group_of(const Binding& call);

// Makes the functions of groups: fused_add_exp computes add, then exp.
class GroupExtractor {
 public:
  // Adds the groups of the block that compute something.
  void add_block(const GraphFunction& function, const Block& block,
                 const PartitionOptions& options);

  // The variables of the groups' roots, in the order in which add_block found them.
  const std::vector<const ValueNode*>& roots() const { return roots_; }
  const FusedGroup& at(const ValueNode* root) const { return groups_.at(root); }
  // Is the variable inside of a group, or used by nobody?
  bool is_dropped(const Value& variable) const { return dropped_.contains(variable.node().get()); }

 private:
  std::vector<const ValueNode*> roots_ = {};
  std::unordered_map<const ValueNode*, FusedGroup> groups_ = {};
  std::set<const ValueNode*> dropped_ = {};
};

}  // namespace strata::graph
