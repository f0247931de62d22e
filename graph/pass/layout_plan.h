// Calls of operators on tensors that are stored by layouts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/ir/value.h"

namespace strata::graph {

// A call that computes the same as another one, on operands that are views of its operands.
struct LayoutPlan {
  std::string callee;
  Attributes attributes;
  std::vector<std::vector<Attributes>>
      expansions;  // of each tensor: the attributes of its expand_dims, in order
  Layouts layouts;
};

// How the operator computes its one result, stored by the layout, from tensors of these types.
// Nothing if the layout does not fit the operator: at each index of the result that the layout cuts
// or moves, the operands must have the same index, up to multiples of the block. An operand of
// smaller rank is expanded if that provably changes nothing, and stays as it is otherwise.
std::optional<LayoutPlan> find_plan(const OperatorCall& call, const std::vector<ValueType>& types,
                                    const Layout& layout);

}  // namespace strata::graph
