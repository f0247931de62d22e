// Running reductions, such as cumulative sums, in time linear in the length of their axis.
#pragma once

#include <optional>

#include "graph/tensor/tensor.h"

namespace strata::graph {

// The value of y(.., i, ..) = (+)_{first <= k < first + i + count} e(k), where e does not use i and
// count is 0 or 1, as a recurrence with the same order of operations,
//     count = 1:  y(i) = (i = 0 ? identity : y(i - 1)) (+) e(first + i)
//     count = 0:  y(i) = i = 0 ? identity : y(i - 1) (+) e(first + i - 1)
// Nothing for other operations.
std::optional<Expr> find_recurrence(const std::shared_ptr<const Operation>& op);

}  // namespace strata::graph
