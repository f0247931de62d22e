// The types of the results of operators.
#pragma once

#include "graph/ir/derive.h"

namespace strata::graph {

ValueType operator_type(const OperatorCall& call, const Request& request);

// May a result share the memory of an argument?  Views do, and who knows of external functions.
bool may_be_view(const OperatorCall& call, const Request& request);

}  // namespace strata::graph
