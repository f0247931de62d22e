#include "graph/builder/rewriter.h"
#include "graph/ir/purity.h"
#include "graph/ir/table.h"
#include "graph/pass/passes.h"

namespace strata::graph {

namespace {

// Finds the needed variables, from the end of a body to its beginning.
class Liveness {
 public:
  explicit Liveness(const std::set<std::string>& impure) : impure_(impure) {}

  void body(const Body& body) {
    use(body.result);
    for (auto block = body.blocks.rbegin(); block != body.blocks.rend(); ++block)
      for (auto b = block->bindings.rbegin(); b != block->bindings.rend(); ++b) {
        if (needs(b->value)) {
          keep(*b);
        } else if (acts(*b)) {
          use(b->value);
          keep(*b);
        } else {
          any_dead_ = true;
        }
      }
  }

  bool any_dead() const { return any_dead_; }
  bool needs(const Value& variable) const { return needed_.contains(variable.node().get()); }

 private:
  void keep(const Binding& b) {
    for (const Value& extents : extents_in(b.value.type())) use(extents);
    for_each_operand(*b.definition, [this](const Value& operand) { use(operand); });
    if (const auto* branch = b.as<Branch>())
      for (const auto& side : {branch->then, branch->otherwise}) body(*side);
  }

  void use(const Value& leaf) {
    for_each_variable(leaf, [&](const Value& v) { needed_.add(v.node().get(), true); });
  }

  // Would the program behave differently without the binding?
  bool acts(const Binding& b) const {
    if (const auto* branch = b.as<Branch>()) {
      bool any = false;
      for (const auto& side : {branch->then, branch->otherwise})
        for_each_binding(*side, [&](const Binding& inner) {
          any = any || (!inner.as<Branch>() && acts(inner));
        });
      return any;
    }
    return b.as<MatchShape>() || is_impure(*b.definition, impure_);
  }

  const std::set<std::string>& impure_;
  Table<const ValueNode*, bool> needed_ = {};
  bool any_dead_ = false;
};

}  // namespace

Pass dead_code_elimination() {
  return Pass({"DeadCodeElimination", 1, {}}, [](const Module& module, const PassContext&) {
    const Effects effects = effects_of(module);
    using Made = std::optional<GraphFunction>;
    return with_functions(module, [&](const GraphFunction& function) -> Made {
      Liveness live(effects.impure);
      live.body(function.body);
      if (!live.any_dead()) return std::nullopt;
      return rewritten(function, module, [&](Rewriter& r, const Binding& b) {
        if (live.needs(b.value)) r.keep(b);
      });
    });
  });
}

}  // namespace strata::graph
