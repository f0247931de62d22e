// The types of the results of operators.
#pragma once

#include "graph/ir/derive.h"

namespace strata::graph {

ValueType operator_type(const OperatorCall& call, const Request& request);

// May a result share the memory of an argument? Views do, and external functions may.
bool may_be_view(const OperatorCall& call, const Request& request);

// The types of the tensors that an operator gets. A tuple stands for its fields. E0602 if an
// argument is neither a tensor nor a tuple of tensors.
std::vector<ValueType> tensor_types(const OperatorCall& call, const Request& request);

// Do all of them have dims and an element type?
bool are_known(const std::vector<ValueType>& types);

// A key: equal for calls of one operator with the same attributes and layouts, on tensors of these
// types.
std::string key_of(const OperatorCall& call, const std::vector<ValueType>& types);

// Placeholders x0, x1, .. of these types, which must have dims and element types.
std::vector<Tensor> tensors_of(const std::vector<ValueType>& types,
                               const Where& where = Where::here());

// The result of the operator on tensors. Undefined if it refuses the tensors, or has several
// results. An author's operator may throw anything.
Tensor find_result(const OperatorCall& call, const std::vector<Tensor>& tensors,
                   const Where& where = Where::here());

}  // namespace strata::graph
