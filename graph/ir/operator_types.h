// The types of the results of operators.
#pragma once

#include "graph/ir/derive.h"

namespace strata::graph {

ValueType operator_type(const OperatorCall& call, const Request& request);

}  // namespace strata::graph
