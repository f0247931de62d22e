// Which loops over a result can also be loops over an argument.
#pragma once

#include <vector>

#include "graph/ir/value.h"

namespace strata::graph {

// For each argument of the call the greatest d with
//
//     T within { [o] -> [a] : o(e) = a(e) for all e < d },
//     T = { [o] -> [a] : element o of the result needs element a of the argument }.
//
// Then the results with the same first d indices need a part of the argument that no others need.
// Several results, or the fields of a tuple, count as the least of them. 0 if types are unknown, or
// if the operator refuses them.
std::vector<int> kept_dims(const OperatorCall& call, const Where& where = Where::here());

}  // namespace strata::graph
