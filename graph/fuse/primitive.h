// Primitive functions: graph functions of operators that are computed as one kernel.
#pragma once

#include "graph/ir/module.h"

namespace strata::graph {

// Does the function have the attribute primitive=true?
bool is_primitive(const GraphFunction& function);

// The kernel of a function that consists of operators, tuples and fields. Its tensor parameters are
// the inputs. The outputs are its result, or the fields of that if it is a tuple. Shapes among the
// parameters say which symbols calls give as integers. Errors: E0602 for a tensor of unknown
// extents, and for anything but operators, tuples and fields; those of the operators.
TensorKernel kernel_of(const GraphFunction& function);
// The kernel of a function, with parameters for extents (parametric.h).
TensorKernel parametric_kernel_of(const GraphFunction& function, const TensorKernel& kernel);

}  // namespace strata::graph
