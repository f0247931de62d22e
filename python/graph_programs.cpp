// Operators by name, and tensors that are computed: evaluated, compiled, made a Function.
#include <cstring>

#include "graph/compile/compile.h"
#include "graph/compile/function.h"
#include "graph/evaluate/element.h"
#include "graph/evaluate/evaluate.h"
#include "graph/ops/registry.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/graph.h"
#include "python/module.h"
#include "python/turns.h"

namespace strata::python {

namespace {

using graph::NDArray;
using graph::Tensor;

// A copy of what "object" holds in host memory.
NDArray array_of(nb::handle object, const std::string& what) {
  ArrayView view;
  view.take(object, what);
  std::vector<std::int64_t> extents;
  for (int axis = 0; axis < view.rank(); ++axis) extents.push_back(view.extent(axis));
  NDArray array(graph::element_type_of(view.type()), std::move(extents));
  if (array.size() > 0) strata_copy_array(view.argument(), array);
  return array;
}

Type type_of(const NDArray& array) {
  const strata_type type = array.type();
  if (type.code == 1 && type.bits == 1) return boolean;
  if (type.code == 4) return bf16;
  const std::string name = (type.code == 2 ? "float" : type.code == 0 ? "int" : "uint");
  return *type_named(name + std::to_string(type.bits));
}

nb::object python_array(const NDArray& array) {
  const nb::object made = new_array(array.extents(), type_of(array), {dlpack::cpu, 0});
  ArrayView view;
  view.take(made, "a result");
  if (array.size() > 0) strata_copy_array(array, view.argument());
  return made;
}

nb::list python_arrays(const std::vector<NDArray>& arrays) {
  nb::list all;
  for (const NDArray& array : arrays) all.append(python_array(array));
  return all;
}

// "axis", "keepdims", ..: what an attribute may be in Python.
graph::Attribute attribute_of(nb::handle value, const std::string& name) {
  PyObject* const p = value.ptr();
  if (PyBool_Check(p)) return p == Py_True;
  if (PyIndex_Check(p)) return nb::cast<std::int64_t>(value);
  if (PyFloat_Check(p)) return PyFloat_AsDouble(p);
  if (PyUnicode_Check(p)) return nb::cast<std::string>(value);
  std::vector<Integer> integers;
  if (nb::try_cast(value, integers)) {
    graph::Integers list;
    for (const Integer& i : integers) list.push_back(i.value);
    return list;
  }
  std::vector<Operand> dims;
  if (nb::try_cast(value, dims)) return graph::Shape(values_of(dims));
  throw nb::type_error(
      ("the attribute " + name + " is neither a number, a text, a type nor a list").c_str());
}

nb::object applied_operator(const std::string& name, const std::vector<Tensor>& tensors,
                            const nb::dict& given) {
  const Where where = python_line();
  const graph::Operator& op = graph::find_operator(name, where);
  graph::Attributes attributes;
  for (const auto& [key, value] : given) {
    const std::string attribute = nb::cast<std::string>(key);
    const graph::Attribute* known = op.attributes.find(attribute);
    const bool is_type = known && std::holds_alternative<Type>(*known);
    const auto type = is_type ? find_type(value) : std::nullopt;
    attributes.set(attribute, type ? graph::Attribute(*type) : attribute_of(value, attribute));
  }
  const std::vector<Tensor> results = op(tensors, attributes, where);
  return results.size() == 1 ? nb::cast(results[0]) : nb::cast(results);
}

std::vector<NDArray> arrays_of(const std::vector<Tensor>& tensors, const nb::args& given) {
  std::vector<NDArray> arrays;
  for (std::size_t k = 0; k < given.size(); ++k)
    arrays.push_back(array_of(given[k], k < tensors.size() ? tensors[k].name() : "an argument"));
  return arrays;
}

nb::list evaluated(const std::vector<Tensor>& tensors, const nb::dict& given,
                   const graph::SymbolValues& symbols) {
  std::vector<graph::Argument> arguments;
  for (const auto& [key, value] : given) {
    const Tensor t = nb::cast<Tensor>(key);
    arguments.push_back({t, array_of(value, t.name())});
  }
  return python_arrays(graph::evaluate(tensors, arguments, symbols, python_line()));
}

graph::CompiledTensors compiled(const std::vector<Tensor>& tensors) {
  const Where where = python_line();
  const Unlocked unlocked;
  return graph::compile(tensors, where);
}

void add_compiled(nb::module_& m) {
  nb::class_<graph::CompiledTensors>(m, "CompiledTensors",
                                     "Kernels that compute tensors from their placeholders, for\n"
                                     "arrays of all extents.")
      .def_prop_ro("arguments", &graph::CompiledTensors::arguments,
                   "The placeholders, in the order of the arguments.")
      .def("__call__", [](const graph::CompiledTensors& self, const nb::args& given,
                          const nb::kwargs& symbols) {
        graph::SymbolValues values;
        for (const auto& [name, value] : symbols)
          values[nb::cast<std::string>(name)] = nb::cast<std::int64_t>(value);
        const std::vector<NDArray> arguments = arrays_of(self.arguments(), given);
        return python_arrays(self(arguments, values, python_line()));
      });
  m.def("compile", &compiled, "tensors"_a, "Errors: as create_function, and Function.jit.");
  m.def(
      "kernel_counts",
      [] {
        const graph::KernelCounts counts = graph::kernel_counts();
        nb::dict all;
        all["compiled"] = counts.compiled;
        all["shared"] = counts.shared;
        all["stored"] = counts.stored;
        return all;
      },
      "How often a kernel was compiled in this process, found there, and found on disk.");
}

}  // namespace

void add_tensor_programs(nb::module_& m) {
  add_compiled(m);
  m.def("apply", &applied_operator, "name"_a, "tensors"_a, "attributes"_a);
  m.def("operator_names", &graph::operator_names);
  m.def(
      "operator_arguments",
      [](const std::string& name) { return graph::find_operator(name, python_line()).arguments; },
      "name"_a);
  m.def(
      "operator_takes_list",
      [](const std::string& name) {
        return graph::find_operator(name, python_line()).takes_any_number;
      },
      "name"_a);
  m.def(
      "operator_attributes",
      [](const std::string& name) {
        std::vector<std::string> names;
        for (const auto& entry : graph::find_operator(name, python_line()).attributes.entries())
          names.push_back(entry.name);
        return names;
      },
      "name"_a);
  m.def("evaluate", &evaluated, "tensors"_a, "arrays"_a, "symbols"_a = graph::SymbolValues());
  m.def(
      "create_function",
      [](const std::string& name, const std::vector<Tensor>& tensors) {
        graph::TensorFunction made = graph::create_function(name, tensors, python_line());
        return std::pair(made.function, made.arguments);
      },
      "name"_a, "tensors"_a);
}

}  // namespace strata::python
