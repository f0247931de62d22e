// How an operator's result depends on one dimension of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/ir/value.h"

namespace strata::graph {

// Let y be the result of a call, and j its index at the dimension "axis":
//
//     { y[.., j, ..] -> a[e] }   e(parts[a]) = j, and no other index of a depends on j
//
// for each argument a; without parts[a], no index of a depends on j. The value depends on j in no
// other way. So what is computed from concatenated arguments is what is computed from each, side by
// side:  y(x, a1 ++ a2) = y(x, a1) ++ y(x, a2).
struct ColumnUse {
  int axis = 0;
  std::vector<std::optional<int>> parts;  // by arguments
  bool sums = false;                      // is a result the sum of contributions?
};

// The last dimension of the result that is used so. Nothing if there is none, if no argument
// depends on it, or if the operator is not one computation of tensors with known ranks.
std::optional<ColumnUse> column_use(const OperatorCall& call, const Where& where);

}  // namespace strata::graph
