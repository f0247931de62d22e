// The parts of the submodule of the operator graph.
#pragma once

#include "graph/ops/registry.h"
#include "graph/tensor/tensor.h"
#include "python/operands.h"

namespace strata::python {

void add_tensors(nb::module_& m);
void add_graph_operators(nb::module_& m);
void add_tensor_programs(nb::module_& m);
void add_value_types(nb::module_& m);
void add_graph_values(nb::module_& m);
void add_graph_modules(nb::module_& m);
void add_graph_builder(nb::module_& m);
void add_graph_passes(nb::module_& m);
void add_graph_runs(nb::module_& m);
void add_graph_machine(nb::module_& m);
void add_graph_onnx(nb::module_& m);

// A shape as Python has it.
nb::tuple python_shape(const graph::Shape& shape);
// Dims from a list of ints and expressions, or from one of them; TypeError for others.
graph::Shape shape_of(nb::handle object);
// The same in normal form; E0602 from the command "what" if one is no dim.
graph::Shape dims_of(nb::handle object, const std::string& what);

// Attributes by name, each of the kind of the operator's default. E0602 one cannot be of it, E0603
// the operator has none of the name.
graph::Attributes attributes_of(const graph::Operator& op, const nb::dict& given,
                                const Where& where);
nb::dict python_attributes(const graph::Attributes& attributes);

// The memory of "object", which errors call "what"; a copy where it is elsewhere, not dense, or
// only to be read, since a result may be a view of an argument.
graph::NDArray array_of(nb::handle object, const std::string& what);
// A strata.Array that shares the memory.
nb::object python_array(const graph::NDArray& array);
nb::list python_arrays(const std::vector<graph::NDArray>& arrays);

}  // namespace strata::python
