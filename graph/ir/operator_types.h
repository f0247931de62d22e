// The types of the results of operators.
#pragma once

#include "graph/ir/derive.h"

namespace strata::graph {

ValueType operator_type(const OperatorCall& call, const Request& request);

// May a result share the memory of an argument?  Views do, and who knows of external functions.
bool may_be_view(const OperatorCall& call, const Request& request);

// Data from outside of these types, which have dims and elements: x0, x1, ..
std::vector<Tensor> tensors_of(const std::vector<ValueType>& types,
                               const Where& where = Where::here());

// The result of the operator on tensors; undefined if it refuses, or has several.  An author's may
// throw anything.
Tensor find_result(const OperatorCall& call, const std::vector<Tensor>& tensors,
                   const Where& where = Where::here());

}  // namespace strata::graph
