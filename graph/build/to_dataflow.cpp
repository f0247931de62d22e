#include <unordered_map>

#include "graph/build/lowered.h"
#include "graph/build/passes.h"
#include "graph/build/relocated.h"
#include "graph/ir/purity.h"

namespace strata::graph {

namespace {

// Blocks of a function: those that are there, where plain ones are cut into runs of pure bindings,
// which become dataflow blocks, and others.
class DataflowRuns {
 public:
  DataflowRuns(const GraphFunction& function, const std::set<std::string>& impure)
      : impure_(impure), variables_(function) {
    note(function.body);
  }

  bool any() const { return any_; }

  Body body(const Body& given) {
    Body made;
    for (const Block& block : given.blocks)
      for (const Binding& b : block.bindings) {
        const Place& place = places_.at(b.value.node().get());
        if (made.blocks.empty() || last_ != place.run)
          made.blocks.push_back({place.is_dataflow, {}});
        Binding renewed = variables_.binding(b, place.is_dataflow && !place.is_seen_outside,
                                             [this](const Body& side) { return body(side); });
        last_ = place.run;
        made.blocks.back().bindings.push_back(std::move(renewed));
      }
    made.result = variables_.leaf(given.result);
    return made;
  }

 private:
  struct Place {
    int run = 0;
    bool is_dataflow = false, is_seen_outside = false;
  };

  void note(const Body& body) {
    for (const Block& block : body.blocks) {
      run_ = ++runs_;
      bool was_pure = true;
      for (const Binding& b : block.bindings) {
        const bool is_pure = !b.as<Branch>() && !is_impure(*b.definition, impure_);
        if (!block.is_dataflow && (is_pure != was_pure || !is_pure)) run_ = ++runs_;
        was_pure = is_pure;
        any_ |= !block.is_dataflow && is_pure;
        use(b);
        const bool is_local = b.value.node()->variable().is_local;
        places_[b.value.node().get()] = {run_, block.is_dataflow || is_pure,
                                         block.is_dataflow && !is_local};
      }
    }
    run_ = ++runs_;
    use(body.result);
  }

  void use(const Binding& b) {
    for_each_operand(*b.definition, [this](const Value& operand) { use(operand); });
    for (const Value& extents : extents_in(b.value.type())) use(extents);
    if (const auto* branch = b.as<Branch>())
      for (const auto& side : {branch->then, branch->otherwise}) note(*side);
  }
  void use(const Value& leaf) {
    for_each_variable(leaf, [this](const Value& variable) {
      const auto found = places_.find(variable.node().get());
      if (found != places_.end() && found->second.run != run_) found->second.is_seen_outside = true;
    });
  }

  const std::set<std::string>& impure_;
  Relocated variables_;
  std::unordered_map<const ValueNode*, Place> places_ = {};
  int runs_ = 0, run_ = 0, last_ = 0;
  bool any_ = false;
};

}  // namespace

Pass to_dataflow() {
  return Pass({"ToDataflow", 0, {}}, [](const Module& module, const PassContext&) {
    using Made = std::optional<GraphFunction>;
    const std::set<std::string> impure = effects_of(module).impure;
    return with_lowered(module, [&](const GraphFunction& function) -> Made {
      DataflowRuns runs(function, impure);
      if (!runs.any()) return std::nullopt;
      GraphFunction made = function;
      made.body = runs.body(function.body);
      return made;
    });
  });
}

}  // namespace strata::graph
