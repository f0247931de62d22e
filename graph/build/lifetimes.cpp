#include "graph/build/lifetimes.h"

#include <algorithm>
#include <numeric>

#include "graph/build/lowered.h"
#include "graph/ir/purity.h"
#include "graph/ir/table.h"

namespace strata::graph {

namespace {

// How a definition treats an operand.
enum class Use { reads, shares, remembers };

Use use_of(const Binding& b) {
  if (b.as<ShapeOf>() || writes_results(b) || packed_call(*b.definition, builtin::kill))
    return Use::reads;
  if (b.as<Alias>() || b.as<FieldOf>() || b.as<MatchShape>() ||
      packed_call(*b.definition, builtin::reshape) || packed_call(*b.definition, builtin::tensor))
    return Use::shares;
  if (is_builtin_call(*b.definition) && b.value.type().kind() == ValueType::Kind::nothing)
    return Use::reads;  // a check
  return Use::remembers;
}

class LifetimeFinder {
 public:
  LifetimeFinder(const Body& body, const std::function<bool(const Binding&)>& makes)
      : makes_(makes) {
    for (const Binding* b : bindings_of(body)) {
      binding(*b);
      ++place_;
    }
    for_each_group(body.result, [this](Lifetime& group) { group.escapes = true; });
  }

  std::vector<Lifetime> lifetimes() {
    std::vector<Lifetime> made;
    for (std::size_t k = 0; k < groups_.size(); ++k)
      if (root_[k] == k) made.push_back(std::move(groups_[k]));
    return made;
  }

 private:
  void binding(const Binding& b) {
    const Use use = use_of(b);
    const bool shares = use == Use::shares && !makes_(b);
    std::size_t shared = none;
    for_each_operand(*b.definition, [&](const Value& operand) {
      for_each_group(operand, [&](Lifetime& group) {
        group.last_use = place_;
        group.escapes |= use == Use::remembers && !b.as<Branch>();
        if (shares) shared = merged(shared, index_of(group));
      });
    });
    if (const auto* branch = b.as<Branch>())
      for (const auto& side : {branch->then, branch->otherwise}) escape(*side);
    if (makes_(b)) add(b);
    if (shared != none) share(b.value, shared);
  }

  // What is used inside of a branch.
  void escape(const Body& body) {
    const auto escapes = [this](const Value& leaf) {
      for_each_group(leaf, [this](Lifetime& group) {
        group.last_use = place_;
        group.escapes = true;
      });
    };
    for_each_binding(body, [&](const Binding& b) {
      for_each_operand(*b.definition, escapes);
      if (const auto* branch = b.as<Branch>())
        for (const auto& side : {branch->then, branch->otherwise}) escapes(side->result);
    });
    escapes(body.result);
  }

  void add(const Binding& b) {
    root_.push_back(groups_.size());
    groups_.push_back({{&b}, {}, place_, false});
    share(b.value, groups_.size() - 1);
  }

  void share(const Value& variable, std::size_t group) {
    group_of_.set(variable.node().get(), group);
    groups_[group].variables.push_back(variable);
  }

  template <typename Act>
  void for_each_group(const Value& leaf, const Act& act) {
    for_each_variable(leaf, [&](const Value& variable) {
      if (const std::size_t* found = group_of_.find(variable.node().get()))
        act(groups_[root(*found)]);
    });
  }

  std::size_t index_of(const Lifetime& group) const { return std::size_t(&group - &groups_[0]); }

  std::size_t root(std::size_t group) const {
    while (root_[group] != group) group = root_[group];
    return group;
  }

  // One group of both, the first of them; "one" may be none.
  std::size_t merged(std::size_t one, std::size_t other) {
    if (one == none || one == other) return other;
    if (other < one) std::swap(one, other);
    Lifetime &a = groups_[one], &b = groups_[other];
    a.makers.insert(a.makers.end(), b.makers.begin(), b.makers.end());
    a.variables.insert(a.variables.end(), b.variables.begin(), b.variables.end());
    a.last_use = std::max(a.last_use, b.last_use);
    a.escapes |= b.escapes;
    root_[other] = one;
    return one;
  }

  static constexpr std::size_t none = std::size_t(-1);
  const std::function<bool(const Binding&)>& makes_;
  std::size_t place_ = 0;
  std::vector<Lifetime> groups_ = {};
  std::vector<std::size_t> root_ = {};
  Table<const ValueNode*, std::size_t> group_of_ = {};
};

}  // namespace

std::vector<const Binding*> bindings_of(const Body& body) {
  std::vector<const Binding*> all;
  for (const Block& block : body.blocks)
    for (const Binding& b : block.bindings) all.push_back(&b);
  return all;
}

std::vector<Lifetime> lifetimes_of(const Body& body,
                                   const std::function<bool(const Binding&)>& makes) {
  return LifetimeFinder(body, makes).lifetimes();
}

}  // namespace strata::graph
