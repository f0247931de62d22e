// Primitive functions: graph functions of operators that are computed as one kernel.
#pragma once

#include "graph/ir/module.h"

namespace strata::graph {

// Has the function the attribute primitive=true?
bool is_primitive(const GraphFunction& function);

// The tensors that a function of operators, tuples and fields computes: its tensor parameters are
// the inputs, and the fields of a tuple the outputs. Shapes among the parameters say which symbols
// calls give as integers. Errors: E0602 a tensor of unknown extents, and something else than
// operators; those of the operators.
TensorKernel kernel_of(const GraphFunction& function);
// The kernel_of a function, where extents are parameters (parametric.h).
TensorKernel parametric_kernel_of(const GraphFunction& function, const TensorKernel& kernel);

}  // namespace strata::graph
