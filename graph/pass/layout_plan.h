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
      expansions;  // of each tensor: expand_dims with these, in turn
  Layouts layouts;
};

// How the operator computes its one result stored by the layout, from tensors of these types.
// Nothing if it does not bear the layout: each index of the result that the layout cuts or moves
// must be that of the operands there, up to multiples of the block. Operands of smaller rank are
// expanded where that is proved to change nothing, and stay as they are elsewhere.
std::optional<LayoutPlan> find_plan(const OperatorCall& call, const std::vector<ValueType>& types,
                                    const Layout& layout);

}  // namespace strata::graph
