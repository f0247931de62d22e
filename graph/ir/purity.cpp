#include "graph/ir/purity.h"

#include <map>

#include "graph/ir/operator_types.h"

namespace strata::graph {

void for_each_binding(const Body& body, const std::function<void(const Binding&)>& f) {
  for (const Block& block : body.blocks)
    for (const Binding& binding : block.bindings) {
      f(binding);
      if (const auto* branch = binding.as<Branch>())
        for (const auto& side : {branch->then, branch->otherwise}) for_each_binding(*side, f);
    }
}

Effects effects_of(const Module& module) {
  std::map<std::string, std::vector<std::string>> callers;
  std::vector<std::string> open;
  for (const auto& [name, global] : module.globals()) {
    const auto* function = std::get_if<GraphFunction>(global.get());
    if (!function) continue;
    for_each_binding(function->body, [&, &caller = name](const Binding& binding) {
      if (const auto* call = binding.as<FunctionCall>()) callers[call->callee].push_back(caller);
      if (const auto* packed = binding.as<PackedCall>(); packed && !packed->is_pure)
        open.push_back(caller);
    });
  }
  Effects effects;
  for (const auto& [name, by] : callers) effects.called.insert(name);
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    if (!effects.impure.insert(name).second) continue;
    for (const std::string& caller : callers[name]) open.push_back(caller);
  }
  return effects;
}

bool is_impure(const Definition& definition, const std::set<std::string>& impure_functions) {
  if (const auto* packed = std::get_if<PackedCall>(&definition)) return !packed->is_pure;
  const auto* call = std::get_if<FunctionCall>(&definition);
  return call && impure_functions.contains(call->callee);
}

namespace {

// Groups of variables that may share memory (union-find).
class Groups {
 public:
  void join(const Value& a, const Value& b) {
    const int first = root(number(a)), second = root(number(b));
    parents_[second] = first;
  }
  void mark(const Value& variable) { marked_.push_back(number(variable)); }
  // Calls f(variable) for each variable in a group with a mark.
  template <typename F>
  void for_each_marked(const F& f) {
    std::vector<bool> is_marked(parents_.size());
    for (const int variable : marked_) is_marked[root(variable)] = true;
    for (std::size_t k = 0; k < variables_.size(); ++k)
      if (is_marked[root(int(k))]) f(variables_[k]);
  }

 private:
  int number(const Value& variable) {
    const auto [number, is_new] = numbers_.add(variable.node().get(), int(parents_.size()));
    if (is_new) {
      parents_.push_back(number);
      variables_.push_back(variable);
    }
    return number;
  }
  int root(int k) {
    while (parents_[k] != k) k = parents_[k] = parents_[parents_[k]];
    return k;
  }

  Table<const ValueNode*, int> numbers_ = {};
  std::vector<int> parents_ = {}, marked_ = {};
  Values variables_ = {};
};

// May the value share memory with an operand?
bool may_share(const Definition& definition) {
  if (std::holds_alternative<KernelCall>(definition)) return false;
  if (std::holds_alternative<ShapeOf>(definition)) return false;
  const auto* call = std::get_if<OperatorCall>(&definition);
  return !call || may_be_view(*call, {"a call of " + call->callee, {}});
}

}  // namespace

WrittenMemory::WrittenMemory(const GraphFunction& function, const Effects& effects) {
  if (effects.impure.empty()) return;
  Groups groups;
  for (const Value& parameter : function.parameters) groups.join(function.parameters[0], parameter);
  const auto join = [&](const Binding& b, const Value& leaf) {
    for_each_variable(leaf, [&](const Value& v) { groups.join(v, b.value); });
  };
  const auto mark = [&](const Value& leaf) {
    for_each_variable(leaf, [&](const Value& v) { groups.mark(v); });
  };
  for_each_binding(function.body, [&](const Binding& b) {
    if (const auto* branch = b.as<Branch>()) {
      join(b, branch->then->result);
      join(b, branch->otherwise->result);
    } else if (may_share(*b.definition)) {
      for_each_operand(*b.definition, [&](const Value& operand) { join(b, operand); });
    }
    if (!is_impure(*b.definition, effects.impure)) return;
    for_each_operand(*b.definition, mark);
    groups.mark(b.value);
  });
  if (effects.called.contains(function.name)) mark(function.body.result);
  groups.for_each_marked([&](const Value& v) { names_.add(v.name(), true); });
}

bool WrittenMemory::has(const Value& leaf) const {
  if (names_.size() == 0) return false;
  bool any = false;
  for_each_variable(leaf, [&](const Value& v) { any |= names_.contains(v.name()); });
  return any;
}

bool WrittenMemory::is_read_by(const Definition& definition) const {
  bool any = false;
  for_each_operand(definition, [&](const Value& operand) { any = any || has(operand); });
  return any;
}

}  // namespace strata::graph
