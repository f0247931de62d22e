// Values of programs: leaves, and calls without a variable.
#include "python/graph_values.h"

#include "graph/ir/derive.h"
#include "graph/text/print.h"
#include "python/bind.h"
#include "python/graph.h"

namespace strata::python {

namespace {

using graph::Definition;
using graph::NDArray;
using graph::Value;
using graph::Values;
using graph::ValueType;

bool is_list(nb::handle object) {
  return PyList_Check(object.ptr()) || PyTuple_Check(object.ptr());
}

bool is_expression(nb::handle object) {
  return nb::isinstance<Expr>(object) || nb::isinstance<Param>(object) ||
         nb::isinstance<Var>(object);
}

// ---- the definition of a call ----

const Definition* definition_of(const Value& value) {
  const auto* call = value.node()->as<graph::Unbound>();
  return call ? call->definition.get() : nullptr;
}

template <typename D>
const D* part(const Value& value) {
  const Definition* definition = definition_of(value);
  return definition ? std::get_if<D>(definition) : nullptr;
}

std::optional<std::string> name_of(const Value& value) {
  if (value.is_variable()) return value.name();
  if (const auto* global = value.node()->as<graph::GlobalName>()) return global->name;
  if (const Definition* definition = definition_of(value))
    return std::visit(
        [](const auto& d) -> std::optional<std::string> {
          if constexpr (requires { d.callee; })
            return d.callee;
          else
            return std::nullopt;
        },
        *definition);
  return std::nullopt;
}

// ---- calls ----

// The extents from a Value that is a shape, or from a tuple of dims.
Value extents_of(nb::handle object, const std::string& what) {
  if (nb::isinstance<Value>(object)) return nb::cast<Value>(object);
  if (PyTuple_Check(object.ptr())) return graph::shape_value(dims_of(object, what));
  throw nb::type_error((what + ": extents are a tuple of dims, a Value that is a shape, or a list "
                               "of these, one for each result")
                           .c_str());
}

Values extents_of_results(nb::handle object, const std::string& what) {
  if (!PyList_Check(object.ptr())) return {extents_of(object, what)};
  Values all;
  for (const nb::handle item : object) all.push_back(extents_of(item, what));
  return all;
}

Value kernel_call(nb::handle extents, const std::string& kernel, nb::handle arguments,
                  nb::handle integers) {
  const std::string what = "call_kernel(@" + kernel + ")";
  return graph::unbound(graph::KernelCall{kernel,
                                          false,
                                          extents_of_results(extents, what),
                                          values_of(arguments, what),
                                          dims_of(integers, what),
                                          {}},
                        {}, python_line());
}

Value packed_kernel_call(nb::handle extents, const std::string& name, nb::handle arguments,
                         const std::vector<TypeName>& types, nb::handle integers) {
  const std::string what = "call_packed_kernel(\"" + name + "\")";
  std::vector<Type> elements;
  for (const TypeName& type : types) elements.push_back(type.value);
  return graph::unbound(
      graph::KernelCall{name, true, extents_of_results(extents, what), values_of(arguments, what),
                        dims_of(integers, what), elements},
      {}, python_line());
}

Value packed_call(const std::string& name, nb::handle arguments,
                  const std::optional<ValueType>& result, bool pure) {
  return graph::unbound(
      graph::PackedCall{name, values_of(arguments, "call_packed(\"" + name + "\")"), pure},
      result.value_or(ValueType()), python_line());
}

Value function_call(const std::string& name, nb::handle arguments) {
  return graph::unbound(
      graph::FunctionCall{name, values_of(arguments, "call_function(@" + name + ")")}, {},
      python_line());
}

void add_calls(nb::module_& m) {
  m.def("call_operator", &operator_call, "name"_a, "arguments"_a.none(), "attributes"_a,
        nb::sig("def call_operator(name: str, arguments: object, attributes: dict[str, Any]) -> "
                "Value"));
  m.def("call_function", &function_call, "name"_a, "arguments"_a.none(),
        "A call of a graph function of the module.");
  m.def("call_kernel", &kernel_call, "extents"_a.none(), "kernel"_a, "arguments"_a.none(),
        "integers"_a = nb::tuple(),
        "A call of a kernel of the module: arrays of these extents are made, computed and\n"
        "returned. extents is a tuple of dims, (n, 4), or a Value that is a shape; for several\n"
        "results a list of these. integers are the dims of the kernel's symbols that no extent of\n"
        "an argument is by itself.");
  m.def("call_packed_kernel", &packed_kernel_call, "extents"_a.none(), "name"_a,
        "arguments"_a.none(), "types"_a, "integers"_a = nb::tuple(),
        "The same by a packed function, which gets the arguments, the arrays to be written, and\n"
        "the integers. types are the types of the elements of the results.");
  m.def("call_packed", &packed_call, "name"_a, "arguments"_a.none(), "result"_a = nb::none(),
        "pure"_a = false,
        "A call of a packed function, which may do anything, unless it is said to be pure. result\n"
        "is the ValueType of what it returns, if that is known.");
  m.def(
      "type_of",
      [](nb::handle given, const std::optional<graph::Module>& module) {
        const Value value = value_of(given, "type_of");
        const Definition* definition = definition_of(value);
        const std::string callee = name_of(value).value_or("a call");
        if (!definition) return value.type();
        const ValueType& stated = value.node()->as<graph::Unbound>()->stated;
        if (stated.kind() != ValueType::Kind::object) return stated;
        return graph::derived(*definition, module.value_or(graph::Module()),
                              {callee, python_line()});
      },
      "value"_a.none(), "module"_a = nb::none(),
      "The type of a leaf, or of what a call of leaves computes, whose callee is in the module.\n"
      "Errors: as where it is bound.");
  m.def(
      "shape_of",
      [](nb::handle value) {
        return graph::unbound(graph::ShapeOf{value_of(value, "shape_of")}, {}, python_line());
      },
      "value"_a.none(), "The extents of a tensor.");
  m.def(
      "field",
      [](nb::handle value, const Integer& index) {
        if (index.value < 0 || index.value > 1'000'000)
          throw nb::value_error("a field has a number from 0 on");
        return graph::unbound(graph::FieldOf{value_of(value, "field"), int(index.value)}, {},
                              python_line());
      },
      "value"_a.none(), "index"_a, "A field of a tuple, the first one is 0.");
}

// ---- leaves ----

void add_leaves(nb::module_& m) {
  m.def("variable", &graph::variable, "name"_a, "type"_a, "is_local"_a = false,
        "A variable, to be a parameter of a function. It is equal only to itself. A local one\n"
        "belongs to a dataflow block.");
  m.def(
      "shape_value",
      [](nb::handle dims) { return graph::shape_value(dims_of(dims, "shape_value")); },
      "dims"_a.none(), "The shape of these dims: ints, and expressions over symbols.");
  m.def(
      "tuple_value",
      [](nb::handle fields) {
        return graph::tuple_value(values_of(fields, "tuple_value"), python_line());
      },
      "fields"_a.none(), "A tuple of values. E0601 if more than 100 are nested.");
  m.def("global_value", &graph::global_value, "name"_a, "The name of a function of the module.");
  m.def(
      "constant",
      [](nb::handle array) {
        const auto number = find_number(array);
        return Value(number ? *number : array_of(array, "constant: it").copied());
      },
      "array"_a.none(),
      "A copy of an array. A bool is a boolean, an int an int64, a float a float32, of rank 0. "
      "Where\n"
      "a value is wanted, arrays and numbers need no call of this; it makes one that is used "
      "twice.");
}

// ---- the parts of a value ----

struct KindOf {
  const char* operator()(const graph::Variable&) const { return "variable"; }
  const char* operator()(const graph::ArrayConstant&) const { return "constant"; }
  const char* operator()(const graph::ShapeLiteral&) const { return "shape"; }
  const char* operator()(const graph::TupleOf&) const { return "tuple"; }
  const char* operator()(const graph::GlobalName&) const { return "global"; }
  const char* operator()(const graph::TextLiteral&) const { return "text"; }
  const char* operator()(const graph::Unbound& call) const {
    return std::visit(*this, *call.definition);
  }
  const char* operator()(const graph::OperatorCall&) const { return "operator"; }
  const char* operator()(const graph::FunctionCall&) const { return "function"; }
  const char* operator()(const graph::KernelCall& call) const {
    return call.is_packed ? "packed kernel" : "kernel";
  }
  const char* operator()(const graph::PackedCall&) const { return "packed"; }
  const char* operator()(const graph::ShapeOf&) const { return "shape_of"; }
  const char* operator()(const graph::FieldOf&) const { return "field"; }
  const char* operator()(const graph::Alias&) const { return "alias"; }
  const char* operator()(const graph::MatchShape&) const { return "match_shape"; }
  const char* operator()(const graph::Branch&) const { return "branch"; }
};

Values parts_of(const Value& value) {
  if (const auto* tuple = value.node()->as<graph::TupleOf>()) return tuple->fields;
  const Definition* definition = definition_of(value);
  return definition ? graph::operands_of(*definition) : Values();
}

Value with_parts(const Value& value, nb::handle given) {
  const Values parts = values_of(given, "with_operands");
  if (parts.size() != parts_of(value).size())
    throw nb::value_error(("with_operands: " + std::to_string(parts.size()) + " operands for " +
                           std::to_string(parts_of(value).size()))
                              .c_str());
  if (value.node()->as<graph::TupleOf>()) return graph::tuple_value(parts, python_line());
  const auto* call = value.node()->as<graph::Unbound>();
  if (!call) return value;
  std::size_t next = 0;
  return graph::unbound(
      graph::with_operands(*call->definition, [&](const Value&) { return parts[next++]; }),
      call->stated, python_line());
}

nb::object dims_in(const Value& value) {
  if (const auto* shape = value.node()->as<graph::ShapeLiteral>()) return python_shape(shape->dims);
  if (const auto* match = part<graph::MatchShape>(value)) return python_shape(match->pattern);
  if (const auto* kernel = part<graph::KernelCall>(value)) return python_shape(kernel->integers);
  return nb::none();
}

// ---- layouts ----

std::vector<graph::Layout> layouts_of(const std::vector<std::optional<std::string>>& texts) {
  const Request request{"with_layouts", python_line()};
  std::vector<graph::Layout> all;
  for (const auto& text : texts) all.push_back(graph::Layout::parsed(text.value_or("_"), request));
  return all;
}

// The call, on tensors that are stored by layouts.
Value with_layouts(const Value& value, const LayoutTexts& arguments, const LayoutTexts& results) {
  const auto* call = part<graph::OperatorCall>(value);
  if (!call) throw nb::type_error("with_layouts: it is not a call of an operator");
  graph::OperatorCall made = *call;
  made.layouts = graph::Layouts(layouts_of(arguments), layouts_of(results));
  return graph::unbound(std::move(made), {}, python_line());
}

std::optional<std::pair<std::vector<std::string>, std::vector<std::string>>> layouts_in(
    const Value& value) {
  const auto* call = part<graph::OperatorCall>(value);
  if (!call || call->layouts.empty()) return std::nullopt;
  std::pair<std::vector<std::string>, std::vector<std::string>> texts;
  for (std::size_t k = 0; k < call->layouts.arguments(); ++k)
    texts.first.push_back(call->layouts.argument(k).text());
  for (std::size_t k = 0; k < call->layouts.results(); ++k)
    texts.second.push_back(call->layouts.result(k).text());
  return texts;
}

void add_parts(nb::class_<Value>& c) {
  c.def_prop_ro("type", &Value::type, "Its ValueType; a call has none before it is bound.");
  c.def_prop_ro(
      "kind", [](const Value& self) { return std::visit(KindOf(), self.node()->kind); },
      "\"variable\", \"constant\", \"shape\", \"tuple\", \"global\"; of calls \"operator\",\n"
      "\"function\", \"kernel\", \"packed kernel\", \"packed\", \"shape_of\", \"field\",\n"
      "\"match_shape\"; \"alias\" and \"branch\".");
  c.def_prop_ro(
      "is_call", [](const Value& self) { return definition_of(self) != nullptr; },
      "Has it no variable yet?");
  c.def_prop_ro("name", &name_of, "Of a variable, of a global, or of what is called; or None.");
  c.def_prop_ro(
      "is_local",
      [](const Value& self) { return self.is_variable() && self.node()->variable().is_local; },
      "Is it a variable that is seen inside of its dataflow block only?");
  c.def_prop_ro("operands", &parts_of,
                "The operands of a call, those that are extents first; the fields of a tuple.");
  c.def("with_operands", &with_parts, "operands"_a,
        "The same call, or tuple, of other operands, as many as operands has. To be bound.");
  c.def_prop_ro(
      "attributes",
      [](const Value& self) {
        const auto* call = part<graph::OperatorCall>(self);
        return call ? python_attributes(call->attributes) : nb::dict();
      },
      nb::for_getter(nb::sig("def attributes(self) -> dict[str, Any]")),
      "Of the call of an operator: those that were given.");
  c.def_prop_ro("layouts", &layouts_in,
                "Of the call of an operator: the layouts of its tensors, and of its results, as\n"
                "(['NCHW16c', '_'], ['NCHW16c']); None if it has none.");
  c.def(
      "with_layouts", &with_layouts, "arguments"_a, "results"_a = LayoutTexts(),
      "The call of an operator on tensors that are stored by layouts, as 'NCHW16c'; None and '_'\n"
      "are for a tensor that stays as it is.");
  c.def_prop_ro("dims", &dims_in, nb::for_getter(nb::sig("def dims(self) -> Dims | None")),
                "The dims of a shape, the pattern of a match_shape, the integers of a kernel.");
  c.def_prop_ro(
      "index",
      [](const Value& self) {
        const auto* field = part<graph::FieldOf>(self);
        return field ? std::optional(field->index) : std::nullopt;
      },
      "The number of a field.");
  c.def_prop_ro(
      "array",
      [](const Value& self) -> nb::object {
        const auto* constant = self.node()->as<graph::ArrayConstant>();
        if (!constant) return nb::none();
        return python_array(constant->array.copied());
      },
      nb::for_getter(nb::sig("def array(self) -> Array | None")),
      "A copy of the array of a constant.");
}

}  // namespace

std::int64_t int64_of(nb::handle object) {
  const long long value = PyLong_AsLongLong(object.ptr());
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  return value;
}

std::optional<NDArray> find_number(nb::handle object) {
  PyObject* const p = object.ptr();
  if (PyBool_Check(p)) return NDArray::scalar(p == Py_True);
  if (PyFloat_CheckExact(p)) return NDArray::scalar(float(PyFloat_AS_DOUBLE(p)));
  if (!PyLong_CheckExact(p)) return std::nullopt;
  return NDArray::scalar(int64_of(object));
}

Value value_of(nb::handle object, const std::string& what) {
  if (nb::isinstance<Value>(object)) return nb::cast<Value>(object);
  if (const auto number = find_number(object)) return *number;
  if (is_list(object)) return graph::tuple_value(values_of(object, what), python_line());
  if (is_expression(object))
    throw nb::type_error((what + ": " + escaped_text(object) +
                          " is an expression, and no value: shape_value makes one of dims")
                             .c_str());
  if (nb::isinstance<graph::Tensor>(object))
    throw nb::type_error((what +
                          ": a Tensor is not a value: emit_te binds tensors, and call(name, []) "
                          "is an operator without arguments")
                             .c_str());
  return array_of(object, what + ": a value").copied();
}

Values values_of(nb::handle list, const std::string& what) {
  if (!is_list(list)) throw nb::type_error((what + " takes a list of values").c_str());
  Values values;
  for (const nb::handle item : list) values.push_back(value_of(item, what));
  return values;
}

Value call_of(const std::shared_ptr<const Definition>& definition) {
  return Value(
      std::make_shared<const graph::ValueNode>(graph::ValueNode{graph::Unbound{definition}}));
}

Value operator_call(const std::string& name, nb::handle arguments, const nb::dict& given) {
  const Where where = python_line();
  const graph::Operator& op = graph::find_operator(name, where);
  return graph::unbound(
      graph::OperatorCall{name, values_of(arguments, name), attributes_of(op, given, where)}, {},
      where);
}

void add_graph_values(nb::module_& m) {
  nb::class_<Value> c(m, "Value",
                      "A leaf of a program, or a call that GraphBuilder.emit gives a variable.\n"
                      "Equal to itself only, as a variable is.");
  add_parts(c);
  c.def("__repr__", [](const Value& self) { return graph::text_of(self); });
  c.def("__eq__", [](const Value& self, const Value& other) { return self == other; });
  c.def("__eq__", [](const Value&, nb::handle) { return false; });
  c.def("__hash__",
        [](const Value& self) { return reinterpret_cast<std::intptr_t>(self.node().get()) >> 4; });
  add_leaves(m);
  add_calls(m);
}

}  // namespace strata::python
