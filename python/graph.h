// The parts of the submodule of the operator graph.
#pragma once

#include "graph/tensor/tensor.h"
#include "python/operands.h"

namespace strata::python {

void add_tensors(nb::module_& m);
void add_graph_operators(nb::module_& m);
void add_tensor_programs(nb::module_& m);

// A shape as Python has it.
nb::tuple python_shape(const graph::Shape& shape);
// Dims from a list of ints and expressions, or from one of them; TypeError for others.
graph::Shape shape_of(nb::handle object);

// The memory of "object", which errors call "what"; a copy where it is elsewhere, not dense, or only
// to be read, since a result may be a view of an argument.
graph::NDArray array_of(nb::handle object, const std::string& what);
// A strata.Array that shares the memory.
nb::object python_array(const graph::NDArray& array);
nb::list python_arrays(const std::vector<graph::NDArray>& arrays);

}  // namespace strata::python
