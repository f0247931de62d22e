// The parts of the submodule of the operator graph.
#pragma once

#include "graph/tensor/tensor.h"
#include "python/operands.h"

namespace strata::python {

void add_tensors(nb::module_& m);
void add_tensor_programs(nb::module_& m);

// Dims from a list of ints and expressions, or from one of them; TypeError for others.
graph::Shape shape_of(nb::handle object);

}  // namespace strata::python
