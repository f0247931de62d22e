// Functions whose variables become local to dataflow blocks, or cease to be.
#pragma once

#include "graph/builder/variable_names.h"

namespace strata::graph {

// Successors of variables, and what they stand for.
class Relocated {
 public:
  explicit Relocated(const GraphFunction& function) : names_(function) {}

  // The same variable, unless it becomes local or ceases to be, or its type has one that does. One
  // that ceases to be local has a name that no other variable has.
  Value variable(const Value& given, bool is_local) {
    Variable made = given.node()->variable();
    const ValueType type =
        with_extents(given.type(), [&](const Value& extents) { return leaf(extents); });
    if (made.is_local == is_local && extents_in(type) == extents_in(given.type())) return given;
    if (made.is_local && !is_local && names_.count(made.name) > 1)
      made.name = names_.fresh(made.name);
    made.is_local = is_local;
    const Value successor(std::make_shared<const ValueNode>(ValueNode{std::move(made), type}));
    now_.set(given.node().get(), successor);
    return successor;
  }

  // The leaf, of the successors.
  Value leaf(const Value& given) const {
    return with_variables(given, [&](const Value& variable) {
      const Value* now = now_.find(variable.node().get());
      return now ? *now : variable;
    });
  }

  // The binding, where "body" makes those of branches.
  template <typename MakeBody>
  Binding binding(const Binding& b, bool is_local, const MakeBody& body) {
    Definition made =
        with_operands(*b.definition, [&](const Value& operand) { return leaf(operand); });
    if (auto* branch = std::get_if<Branch>(&made))
      for (auto* side : {&branch->then, &branch->otherwise})
        *side = std::make_shared<const Body>(body(**side));
    const Value value = variable(b.value, is_local);
    return {value, std::make_shared<const Definition>(std::move(made)), b.where};
  }

 private:
  VariableNames names_;
  Table<const ValueNode*, Value> now_ = {};
};

}  // namespace strata::graph
