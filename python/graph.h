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
void add_graph_pages(nb::module_& m);
void add_graph_runs(nb::module_& m);
void add_graph_machine(nb::module_& m);
void add_graph_onnx(nb::module_& m);

// A shape as a Python tuple.
nb::tuple python_shape(const graph::Shape& shape);
// Dims from a list of ints and expressions, or from one of these. TypeError for anything else.
graph::Shape shape_of(nb::handle object);
// The same in normal form. E0602 of the command "what" if one is not a dim.
graph::Shape dims_of(nb::handle object, const std::string& what);

// Attributes by name, each of the kind of the operator's default. E0602 if a value is not of this
// kind, E0603 if the operator has no attribute of this name.
graph::Attributes attributes_of(const graph::Operator& op, const nb::dict& given,
                                const Where& where);
nb::dict python_attributes(const graph::Attributes& attributes);

// The memory of "object", which errors call "what". It is copied if it is on a device, not dense,
// or read-only, since a result may be a view of an argument.
graph::NDArray array_of(nb::handle object, const std::string& what);
// A strata.Array that shares the memory.
nb::object python_array(const graph::NDArray& array);
nb::list python_arrays(const std::vector<graph::NDArray>& arrays);

}  // namespace strata::python
