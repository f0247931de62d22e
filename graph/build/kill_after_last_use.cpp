#include <map>
#include <unordered_set>

#include "graph/build/lifetimes.h"
#include "graph/build/lowered.h"
#include "graph/build/passes.h"
#include "graph/builder/rewriter.h"

namespace strata::graph {

namespace {

bool makes_array(const Binding& b) {
  return packed_call(*b.definition, builtin::tensor) ||
         packed_call(*b.definition, builtin::alloc_tensor);
}
bool makes_storage(const Binding& b) {
  return packed_call(*b.definition, builtin::storage) != nullptr;
}

class Kills {
 public:
  explicit Kills(const Body& body) { add_body(body); }

  void rewrite(Rewriter& r, const Binding& b) const {
    r.keep(b);
    const auto found = after_.find(b.value.node().get());
    if (found == after_.end()) return;
    for (const Value& variable : found->second)
      r.emit(call_packed(builtin::kill, {variable}, ValueType::nothing(), true), "void");
  }

 private:
  void add_body(const Body& body) {
    const std::vector<const Binding*> bindings = bindings_of(body);
    for (const Binding* b : bindings) {
      if (const auto* call = packed_call(*b->definition, builtin::kill))
        killed_.insert(call->arguments[0].node().get());
      if (const auto* branch = b->as<Branch>()) {
        add_body(*branch->then);
        add_body(*branch->otherwise);
      }
      // They are in the register of what they are.
      const auto* alias = b->as<Alias>();
      if (b->as<MatchShape>() || (alias && alias->of.is_variable()))
        killed_.insert(b->value.node().get());
    }
    add_lifetimes(body, bindings, makes_array);
    add_lifetimes(body, bindings, makes_storage);
  }

  // Arrays lie in storages: those are of the second call.
  void add_lifetimes(const Body& body, const std::vector<const Binding*>& bindings,
                     bool (*makes)(const Binding&)) {
    for (const Lifetime& lifetime : lifetimes_of(body, makes)) {
      if (lifetime.escapes) continue;
      const ValueNode* last = bindings[lifetime.last_use]->value.node().get();
      for (const Value& variable : lifetime.variables)
        if (killed_.insert(variable.node().get()).second) after_[last].push_back(variable);
    }
  }

  std::unordered_set<const ValueNode*> killed_ = {};
  std::map<const ValueNode*, Values> after_ = {};
};

}  // namespace

Pass kill_after_last_use() {
  return Pass({"KillAfterLastUse", 0, {}}, [](const Module& module, const PassContext&) {
    return with_lowered(module, [&](const GraphFunction& function) {
      const Kills kills(function.body);
      return rewritten(function, module,
                       [&](Rewriter& r, const Binding& b) { kills.rewrite(r, b); });
    });
  });
}

}  // namespace strata::graph
