// The types of the results of operators.
#pragma once

#include "graph/ir/derive.h"

namespace strata::graph {

ValueType operator_type(const OperatorCall& call, const Request& request);

// May a result share the memory of an argument?  Views do, and who knows of external functions.
bool may_be_view(const OperatorCall& call, const Request& request);

// The types of the tensors that an operator gets: a tuple stands for its fields. E0602 if an
// argument is something else.
std::vector<ValueType> tensor_types(const OperatorCall& call, const Request& request);

// Have all of them dims and an element type?
bool are_known(const std::vector<ValueType>& types);

// Equal for calls of one operator with the same attributes and layouts, on tensors of these types.
std::string key_of(const OperatorCall& call, const std::vector<ValueType>& types);

// Data from outside of these types, which have dims and elements: x0, x1, ..
std::vector<Tensor> tensors_of(const std::vector<ValueType>& types,
                               const Where& where = Where::here());

// The result of the operator on tensors; undefined if it refuses, or has several. An author's may
// throw anything.
Tensor find_result(const OperatorCall& call, const std::vector<Tensor>& tensors,
                   const Where& where = Where::here());

}  // namespace strata::graph
