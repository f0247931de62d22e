// Operators by name, and operators that are Python functions.
#include "graph/dim/dim.h"
#include "python/bind.h"
#include "python/graph.h"
#include "python/graph_values.h"
#include "python/module.h"

namespace strata::python {

namespace {

using graph::Attributes;
using graph::NDArray;
using graph::Tensor;

// The attribute "name" from its Python value.
graph::Attribute attribute_of(nb::handle value, const std::string& name) {
  PyObject* const p = value.ptr();
  if (PyBool_Check(p)) return p == Py_True;
  if (PyIndex_Check(p)) {
    const nb::object integer = nb::steal(PyNumber_Index(p));
    if (!integer.is_valid()) throw nb::python_error();
    return int64_of(integer);
  }
  if (PyFloat_Check(p)) return PyFloat_AsDouble(p);
  if (PyUnicode_Check(p)) return nb::cast<std::string>(value);
  if (nb::isinstance<Type>(value)) return nb::cast<Type>(value);
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

nb::object python_attribute(const graph::Attribute& attribute) {
  return std::visit(
      [](const auto& value) -> nb::object {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, graph::Shape>)
          return python_shape(value);
        else
          return nb::cast(value);
      },
      attribute);
}

// A registered Python function; it lives as long as the process.
struct PythonOperator {
  std::string name;
  Attributes defaults;
  PyObject* function;
  PyObject* shape = nullptr;  // of an opaque operator
};

// The given attribute as a value of the kind of "own".
graph::Attribute of_kind(const graph::Attribute& own, const std::string& name,
                         const graph::Attribute& given, const Request& request) {
  return std::visit(
      [&](const auto& value) -> graph::Attribute {
        return graph::converted<std::decay_t<decltype(value)>>(name, given, request);
      },
      own);
}

// The attributes by name, each of the kind of its default.
nb::dict keywords(const PythonOperator& op, const Attributes& given, const Where& where) {
  nb::dict all = python_attributes(op.defaults);
  for (const Attributes::Entry& entry : op.defaults.entries())
    if (const graph::Attribute* there = given.find(entry.name))
      all[entry.name.c_str()] =
          python_attribute(of_kind(entry.value, entry.name, *there, {op.name, where}));
  return all;
}

std::vector<Tensor> tensors_of(const PythonOperator& op, PyObject* f, const std::vector<Tensor>& x,
                               const Attributes& given, const Where& where) {
  const nb::object result = nb::borrow(f)(*nb::tuple(nb::cast(x)), **keywords(op, given, where));
  std::vector<Tensor> tensors;
  if (nb::isinstance<Tensor>(result)) return {nb::cast<Tensor>(result)};
  if (nb::try_cast(result, tensors) && !tensors.empty()) return tensors;
  throw Request{op.name, where}.refused(
      Code::E0602_does_not_fit, "its function returns " + nb::cast<std::string>(nb::repr(result)),
      "return a Tensor, or a list of Tensors");
}

// The types of "made". Symbols that neither the tensors nor the attributes have become new ones.
std::vector<graph::TensorType> with_new_symbols(const std::vector<Tensor>& made,
                                                const std::vector<Tensor>& x,
                                                const Attributes& given) {
  std::map<std::string, Expr> symbols;
  const auto keep = [&](const graph::Shape& shape) {
    for (const Expr& extent : shape)
      for (const std::string& symbol : graph::symbols_of(extent))
        symbols.emplace(symbol, parameter(symbol));
  };
  for (const Tensor& t : x) keep(t.shape());
  for (const Attributes::Entry& entry : given.entries())
    if (const auto* shape = std::get_if<graph::Shape>(&entry.value)) keep(*shape);
  const auto renamed = [&](const Expr& part) {
    if (part.op() != Op::parameter) return Expr();
    const auto [place, fresh] = symbols.try_emplace(part.name());
    if (fresh) place->second = graph::fresh_symbol(part.name());
    return place->second;
  };
  std::vector<graph::TensorType> types;
  for (const Tensor& t : made) {
    types.push_back({t.shape(), t.type()});
    for (Expr& extent : types.back().shape) extent = rewrite(extent, renamed);
  }
  return types;
}

// The function on arrays, callable in any thread.
graph::ArrayFunction array_function(const PythonOperator& op, const Attributes& given,
                                    const Where& where) {
  return [op, given, where](const std::vector<NDArray>& inputs) {
    const nb::gil_scoped_acquire lock;
    const nb::object result =
        nb::borrow(op.function)(*nb::tuple(python_arrays(inputs)), **keywords(op, given, where));
    std::vector<NDArray> arrays;
    if (!PyList_Check(result.ptr()) && !PyTuple_Check(result.ptr()))
      return std::vector{array_of(result, op.name + ": its result")};
    for (const nb::handle item : result) arrays.push_back(array_of(item, op.name + ": its result"));
    return arrays;
  };
}

std::vector<Tensor> applied_function(const PythonOperator& op, const std::vector<Tensor>& x,
                                     const Attributes& given, const Where& where) {
  const nb::gil_scoped_acquire lock;  // a pass may apply operators without the lock
  if (!op.shape) return tensors_of(op, op.function, x, given, where);
  const std::vector<Tensor> made = tensors_of(op, op.shape, x, given, where);
  return graph::external(op.name, with_new_symbols(made, x, given), x,
                         array_function(op, given, where), where);
}

void register_function(const std::string& name, const std::vector<std::string>& arguments,
                       bool takes_list, const nb::dict& defaults, const nb::callable& function,
                       const std::optional<nb::callable>& shape) {
  PythonOperator op{name, {}, function.inc_ref().ptr()};
  if (shape) op.shape = shape->inc_ref().ptr();
  for (const auto& [key, value] : defaults) {
    const std::string attribute = nb::cast<std::string>(key);
    op.defaults.set(attribute, attribute_of(value, attribute));
  }
  const auto apply = [op](const std::vector<Tensor>& x, const Attributes& given,
                          const Where& where) { return applied_function(op, x, given, where); };
  graph::register_operator({name, arguments, op.defaults, takes_list, apply}, python_line());
}

// Makes an operation on whole arrays that is not registered as an operator.
std::vector<Tensor> external_function(const std::string& name,
                                      const std::vector<std::pair<nb::object, TypeName>>& outputs,
                                      const std::vector<Tensor>& inputs, const nb::callable& f) {
  std::vector<graph::TensorType> types;
  for (const auto& [shape, type] : outputs) types.push_back({dims_of(shape, name), type.value});
  const auto function = [name, f = held(f)](const std::vector<NDArray>& arrays) {
    const nb::gil_scoped_acquire lock;
    std::vector<NDArray> results;
    for (const nb::handle item : nb::handle(f.get())(*nb::tuple(python_arrays(arrays))))
      results.push_back(array_of(item, name + ": its result"));
    return results;
  };
  return graph::external(name, types, inputs, function, python_line());
}

nb::object applied_operator(const std::string& name, const nb::list& arguments,
                            const nb::dict& given) {
  for (const nb::handle argument : arguments)
    if (nb::isinstance<graph::Value>(argument))
      return nb::cast(operator_call(name, arguments, given));
  std::vector<Tensor> tensors;
  if (!nb::try_cast(arguments, tensors))
    throw nb::type_error((name + ": an argument is neither a Tensor nor a Value").c_str());
  const Where where = python_line();
  const graph::Operator& op = graph::find_operator(name, where);
  const std::vector<Tensor> results = op(tensors, attributes_of(op, given, where), where);
  return results.size() == 1 ? nb::cast(results[0]) : nb::cast(results);
}

}  // namespace

Attributes attributes_of(const graph::Operator& op, const nb::dict& given, const Where& where) {
  Attributes attributes;
  for (const auto& [key, value] : given) {
    const std::string name = nb::cast<std::string>(key);
    if (graph::is_note(name)) {
      attributes.set(name, attribute_of(value, name));
      continue;
    }
    const graph::Attribute* known = op.attributes.find(name);
    if (!known) graph::require_known(Attributes({{name, false}}), op.attributes, {op.name, where});
    const auto type = std::holds_alternative<Type>(*known) ? find_type(value) : std::nullopt;
    const graph::Attribute found = type ? graph::Attribute(*type) : attribute_of(value, name);
    attributes.set(name, of_kind(*known, name, found, {op.name, where}));
  }
  return attributes;
}

nb::dict python_attributes(const Attributes& attributes) {
  nb::dict all;
  for (const Attributes::Entry& entry : attributes.entries())
    all[entry.name.c_str()] = python_attribute(entry.value);
  return all;
}

void add_graph_operators(nb::module_& m) {
  m.def("apply", &applied_operator, "name"_a, "arguments"_a, "attributes"_a,
        nb::sig("def apply(name: str, arguments: list[Any], attributes: dict[str, Any]) -> Any"));
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
  m.def("external", &external_function, "name"_a, "outputs"_a, "inputs"_a, "function"_a,
        nb::sig("def external(name: str, outputs: Sequence[builtins.tuple[object, TypeLike]], "
                "inputs: Sequence[Tensor], function: Callable[..., Sequence[object]]) -> "
                "list[Tensor]"));
  m.def("register", &register_function, "name"_a, "arguments"_a, "takes_list"_a, "defaults"_a,
        "function"_a, "shape"_a.none(),
        nb::sig("def register(name: str, arguments: Sequence[str], takes_list: bool, defaults: "
                "dict[str, Any], function: Callable[..., object], shape: Callable[..., object] | "
                "None) -> None"));
}

}  // namespace strata::python
