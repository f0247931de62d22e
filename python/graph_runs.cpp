// Running programs, and the Python functions that they call.
#include <nanobind/stl/variant.h>

#include <any>

#include "graph/run/run.h"
#include "graph/vm/machine.h"
#include "graph/vm/registry.h"
#include "python/bind.h"
#include "python/graph.h"
#include "python/graph_values.h"
#include "python/turns.h"

namespace strata::python {

Held held(nb::handle object) {
  return Held(object.inc_ref().ptr(), [](PyObject* last) {
    if (!Py_IsInitialized()) return;
    const nb::gil_scoped_acquire lock;
    Py_DECREF(last);
  });
}

namespace {

using graph::ValueType;
using graph::VmValue;

bool is_array(nb::handle object) {
  if (PyBytes_Check(object.ptr()) || PyType_Check(object.ptr())) return false;
  return nb::hasattr(object, "__dlpack__") || PyObject_CheckBuffer(object.ptr());
}

nb::object shape_class() { return nb::module_::import_("strata.graph._shape").attr("Shape"); }

graph::ShapeNumbers numbers_of(nb::handle object, const std::string& what) {
  std::vector<Integer> given;
  if (!nb::try_cast(object, given))
    throw nb::type_error((what + " is not a shape: its items are not all ints").c_str());
  graph::ShapeNumbers shape;
  for (const Integer& number : given) shape.numbers.push_back(number.value);
  return shape;
}

VmValue tuple_of(nb::handle object, const ValueType& wanted, const std::string& what) {
  if (Py_EnterRecursiveCall(" in a tuple of a program")) throw nb::python_error();
  VmValue::Fields fields;
  try {
    for (const nb::handle item : object) {
      const bool is_known = wanted.is_tuple() && fields.size() < wanted.fields().size();
      fields.push_back(vm_value_of(item, is_known ? wanted.fields()[fields.size()] : ValueType(),
                                   "a field of " + what));
    }
  } catch (...) {
    Py_LeaveRecursiveCall();
    throw;
  }
  Py_LeaveRecursiveCall();
  return VmValue::tuple(std::move(fields));
}

}  // namespace

VmValue vm_value_of(nb::handle object, const ValueType& wanted, const std::string& what) {
  if (object.is_none()) return {};
  const bool is_list = PyTuple_Check(object.ptr()) || PyList_Check(object.ptr());
  if ((is_list && wanted.is_shape()) || nb::isinstance(object, shape_class()))
    return numbers_of(object, what);
  if (is_list) return tuple_of(object, wanted, what);
  if (PyUnicode_Check(object.ptr())) return nb::cast<std::string>(object);
  if (nb::isinstance<graph::VmClosure>(object))
    return VmValue::object(nb::cast<graph::VmClosure>(object));
  const bool is_integer = PyLong_Check(object.ptr()) && !PyBool_Check(object.ptr());
  if (is_integer && !wanted.is_tensor()) return int64_of(object);
  if (const auto number = find_number(object)) return *number;
  if (wanted.is_tensor() || is_array(object)) return array_of(object, what);
  return VmValue::object(held(object));
}

nb::object python_value(const VmValue& value) {
  if (value.array()) return value.array()->defined() ? python_array(*value.array()) : nb::none();
  if (value.shape()) return shape_class()(nb::cast(value.shape()->numbers));
  if (value.integer()) return nb::int_(*value.integer());
  if (value.text()) return nb::cast(*value.text());
  if (value.fields()) {
    nb::list fields;
    for (const VmValue& field : *value.fields()) fields.append(python_value(field));
    return nb::tuple(fields);
  }
  if (const auto* object = value.object()) {
    if (const Held* there = std::any_cast<Held>(object)) return nb::borrow(there->get());
    if (const auto* closure = std::any_cast<graph::VmClosure>(object)) return nb::cast(*closure);
  }
  return nb::none();
}

std::vector<VmValue> vm_values_of(const nb::args& given) {
  std::vector<VmValue> values;
  for (const nb::handle object : given)
    values.push_back(vm_value_of(object, ValueType(), "an argument"));
  return values;
}

std::vector<VmValue> vm_values_of(const nb::args& given, const graph::GraphFunction& f) {
  std::vector<VmValue> values;
  for (std::size_t k = 0; k < given.size(); ++k) {
    const bool is_known = k < f.parameters.size();
    values.push_back(vm_value_of(given[k], is_known ? f.parameters[k].type() : ValueType(),
                                 is_known ? "%" + f.parameters[k].name() : "an argument"));
  }
  return values;
}

graph::PackedFunction packed_function(const std::string& name, const nb::object& function) {
  return [name, function = held(function)](const std::vector<VmValue>& arguments) {
    const nb::gil_scoped_acquire lock;
    const Compilation::Pause pause;
    nb::list given;
    for (const VmValue& argument : arguments) given.append(python_value(argument));
    return vm_value_of(nb::borrow(function.get())(*nb::tuple(given)), ValueType(),
                       name + ": its result");
  };
}

namespace {

// True means the usual share, and False no specialisation.
double share_of(const std::variant<bool, double>& specialise) {
  if (const bool* wanted = std::get_if<bool>(&specialise)) return *wanted ? graph::usual_share : 1;
  return std::get<double>(specialise);
}

nb::object run_function(const graph::Module& module, const std::string& name, const nb::args& given,
                        bool interpreted, const std::variant<bool, double>& specialise) {
  const Where where = python_line();
  const graph::GraphFunction* f = module.function(name);
  const std::vector<VmValue> arguments = f ? vm_values_of(given, *f) : vm_values_of(given);
  const auto result = [&] {
    // Operators are compiled when they run. A fork waits for that, but not for packed functions.
    const Compilation compilation(std::make_shared<const Maker>("run"));
    const auto by = interpreted ? graph::RunBy::interpreter : graph::RunBy::kernels;
    return graph::run(module, name, arguments, {by, share_of(specialise)}, where);
  };
  return python_value(result());
}

void register_function(const std::string& name, const nb::callable& function, bool replaces) {
  graph::register_packed(name, packed_function(name, function), replaces);
}

nb::object called_packed(const std::string& name, const nb::args& given) {
  const auto function = graph::find_packed(name);
  if (!function)
    throw Request{name, python_line()}.refused(
        Code::E0601_malformed_graph, "there is no packed function of this name",
        "register it: register_packed(\"" + name + "\", function)");
  return python_value((*function)(vm_values_of(given)));
}

}  // namespace

void add_graph_runs(nb::module_& m) {
  m.def(
      "run", &run_function, "module"_a, "name"_a, "arguments"_a, nb::kw_only(),
      "interpreted"_a = false, "specialise"_a = false,
      nb::sig("def run(module: Module, name: str, /, *arguments: object, interpreted: bool = "
              "False, specialise: bool | float = False) -> Any"),
      "The result of the graph function on the arguments: each operator and kernel is compiled,\n"
      "or all are evaluated by the interpreter.\n"
      "\n"
      "Constant extents of more than 16 are parameters of kernels, which equal layers of other\n"
      "sizes share. With specialise, an operator or group of constant extents that has more than\n"
      "this share of the run's operations (True: 0.05) has a kernel of its own, with its extents\n"
      "as constants: it takes up to 10 % less time.\n"
      "\n"
      "Arrays are those of numpy or of any package with DLPack or the buffer protocol; dense\n"
      "ones that may be written are not copied, and a result that is a view of an argument\n"
      "shares its memory. A number is an array of rank 0: a bool boolean, an int int64, a float\n"
      "float32; an int where no tensor is wanted is an integer. A tuple or list is a tuple, or a\n"
      "shape where one is wanted. None, texts and other objects are passed on as they are.\n"
      "Results are strata.Arrays, Shapes, tuples, ints, texts, None, and such objects.\n"
      "\n"
      "Errors: E0601 there is no such function, or nobody registered a packed one; E0602 a value\n"
      "does not fit, with the extent and both numbers; E0901 calls are nested more than 1000\n"
      "deep; and what a packed function raises.");
  m.def("register_packed", &register_function, "name"_a, "function"_a, "replaces"_a,
        nb::sig("def register_packed(name: str, function: Callable[..., object], replaces: bool) "
                "-> None"));
  m.def("call_packed_now", &called_packed, "name"_a, "arguments"_a,
        nb::sig("def call_packed_now(name: str, /, *arguments: object) -> Any"),
        "What a packed function returns for these arguments, which are as those of run. E0601\n"
        "nobody registered it.");
  m.def("packed_names", &graph::packed_names, "The names that packed functions have.");
}

}  // namespace strata::python
