#include "python/kernel.h"

#include <algorithm>
#include <limits>
#include <new>

#include "core/expr/interval.h"
#include "python/bind.h"
#include "python/failures.h"
#include "python/module.h"
#include "python/operands.h"

namespace strata::python {

namespace {

// The arguments of one call.
class Call {
 public:
  explicit Call(const KernelFacts& facts)
      : facts_(facts),
        device_(facts.device),
        given_(facts.arguments.size()),
        views_(facts.arguments.size()),
        parameters_(facts.parameters.size()),
        scalars_(facts.scalars.size()) {}

  void take_positional(const nb::args& positional);
  void take_named(const nb::kwargs& named);
  void view_arrays();
  void infer_parameters();
  void make_outputs();
  void run(const JitFunction& code);
  int wait();
  nb::object result() const;

 private:
  const std::string& kernel() const { return facts_.name; }
  const std::string& what(std::size_t n) const { return facts_.arguments[n].what; }
  void set_parameter(std::size_t n, nb::handle value);
  void set_scalar(std::size_t n, nb::handle value);
  void view(std::size_t n);
  void check_array(std::size_t n) const;
  void infer_from(std::size_t n);
  void infer(std::size_t parameter, std::size_t n, int axis);
  std::int64_t value_of(const Expr& extent, std::size_t n) const;
  void make_output(std::size_t n);

  struct Parameter {
    std::optional<std::int64_t> value;
    int from = -1, axis = 0;  // the argument whose shape gave it; -1: given
  };

  const KernelFacts& facts_;
  CallDevice device_;
  std::vector<nb::object> given_;
  std::vector<ArrayView> views_;
  std::vector<Parameter> parameters_;
  std::vector<std::optional<ScalarValue>> scalars_;
  std::vector<nb::object> made_;
};

[[noreturn]] void refuse_call(const std::string& text) { throw nb::type_error(text.c_str()); }

std::string place(const KernelFacts& facts, std::size_t n, int axis) {
  return "axis " + std::to_string(axis) + " of " + facts.arguments[n].name;
}

// The message leaves out the number, since Python refuses to print very large ones.
[[noreturn]] void refuse_range(strata_code code, const std::string& what) {
  throw KernelFailure(code, what + " is more than 64 bits hold");
}

double float_of(nb::handle value, const std::string& what) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (number != -1.0 || !PyErr_Occurred()) return number;
  if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
    PyErr_Clear();
    refuse_range(strata_error_wrong_arguments, what);
  }
  if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
  PyErr_Clear();
  refuse_call(what + " is " + Py_TYPE(value.ptr())->tp_name + ", not a number");
}

ScalarValue integer_of(const nb::object& number, const std::string& what) {
  if (!number.is_valid()) throw nb::python_error();
  int overflow = 0;
  const long long small = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (!overflow) return std::int64_t(small);
  if (overflow < 0) refuse_range(strata_error_wrong_arguments, what);
  const unsigned long long large = PyLong_AsUnsignedLongLong(number.ptr());
  if (!PyErr_Occurred()) return std::uint64_t(large);
  PyErr_Clear();
  refuse_range(strata_error_wrong_arguments, what);
}

void Call::set_parameter(std::size_t n, nb::handle value) {
  const std::string& name = facts_.parameters[n];
  if (!PyIndex_Check(value.ptr()))
    refuse_call(kernel() + ": parameter " + name + " is " + Py_TYPE(value.ptr())->tp_name +
                ", not an int");
  int overflow = 0;
  const nb::object number = nb::steal(PyNumber_Index(value.ptr()));
  if (!number.is_valid()) throw nb::python_error();
  parameters_[n].value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow) refuse_range(strata_error_parameter_range, kernel() + ": parameter " + name);
}

// Sets a scalar from Python's float or int, or from what converts to them without loss. numpy.bool
// is not an index, but a truth value.
void Call::set_scalar(std::size_t n, nb::handle value) {
  const KernelScalar& scalar = facts_.scalars[n];
  const std::string what = kernel() + ": scalar " + scalar.name;
  if (is_float(scalar.type)) {
    scalars_[n] = float_of(value, what);
  } else if (PyIndex_Check(value.ptr())) {
    scalars_[n] = integer_of(nb::steal(PyNumber_Index(value.ptr())), what);
  } else if (scalar.type == boolean && find_scalar_type(value) == boolean) {
    scalars_[n] = std::uint64_t(nb::cast<bool>(nb::bool_(value)));
  } else {
    refuse_call(what + " is " + Py_TYPE(value.ptr())->tp_name + ", not " +
                (scalar.type == boolean ? "a bool" : "an int"));
  }
}

void Call::take_positional(const nb::args& positional) {
  const std::size_t count = positional.size(), parameters = parameters_.size();
  const std::size_t numbers = parameters + scalars_.size();
  const bool all = count == numbers + given_.size();
  if (count > given_.size() && !all)
    refuse_call(kernel() + " takes " + std::to_string(given_.size()) + " arrays, or " +
                std::to_string(parameters) + " parameters" +
                (scalars_.empty() ? "" : ", " + std::to_string(scalars_.size()) + " scalars") +
                " and all arrays, not " + std::to_string(count) + " arguments");
  const std::size_t first = all ? numbers : 0;
  for (std::size_t n = 0; n < first; ++n)
    n < parameters ? set_parameter(n, positional[n]) : set_scalar(n - parameters, positional[n]);
  for (std::size_t n = first; n < count; ++n) given_[n - first] = positional[n];
}

template <typename List, typename NameOf>
std::optional<std::size_t> find_named(const List& list, std::string_view name, NameOf name_of) {
  for (std::size_t n = 0; n < list.size(); ++n)
    if (name_of(list[n]) == name) return n;
  return std::nullopt;
}

std::string names_of(const KernelFacts& facts) {
  std::string text;
  for (const KernelArgument& a : facts.arguments) text += (text.empty() ? "" : ", ") + a.name;
  for (const std::string& p : facts.parameters) text += (text.empty() ? "" : ", ") + p;
  for (const KernelScalar& s : facts.scalars) text += (text.empty() ? "" : ", ") + s.name;
  return text;
}

void Call::take_named(const nb::kwargs& named) {
  for (const auto [key, value] : named) {
    const std::string name = escaped_text(key);
    const auto argument = find_named(facts_.arguments, name,
                                     [](const auto& a) -> std::string_view { return a.name; });
    const auto parameter =
        find_named(facts_.parameters, name, [](const auto& p) -> std::string_view { return p; });
    const auto scalar =
        find_named(facts_.scalars, name, [](const auto& s) -> std::string_view { return s.name; });
    if (!argument && !parameter && !scalar)
      refuse_call(kernel() + " has no argument " + name + "; it has " + names_of(facts_));
    if (argument    ? given_[*argument].is_valid()
        : parameter ? parameters_[*parameter].value.has_value()
                    : scalars_[*scalar].has_value())
      refuse_call(kernel() + ": argument " + name + " is given twice");
    if (argument)
      given_[*argument] = nb::borrow(value);
    else if (parameter)
      set_parameter(*parameter, value);
    else
      set_scalar(*scalar, value);
  }
}

void Call::check_array(std::size_t n) const {
  const KernelArgument& argument = facts_.arguments[n];
  const ArrayView& view = views_[n];
  if (view.type() != argument.type)
    throw KernelFailure(strata_error_wrong_type, what(n) + " has elements of type " +
                                                     to_string(view.type()) + ", not " +
                                                     to_string(argument.type));
  if (view.rank() != int(argument.extents.size()))
    throw KernelFailure(strata_error_wrong_rank, what(n) + " has " + std::to_string(view.rank()) +
                                                     " axes, not " +
                                                     std::to_string(argument.extents.size()));
  if (argument.written && view.is_read_only())
    throw KernelFailure(strata_error_wrong_arguments,
                        what(n) + " is read-only, and the kernel writes it");
}

void Call::view_arrays() {
  for (std::size_t n = 0; n < given_.size(); ++n) {
    if (!given_[n].is_valid() || given_[n].is_none()) {
      if (!facts_.arguments[n].written) refuse_call(what(n) + " is missing");
      continue;
    }
    view(n);
    check_array(n);
  }
}

void Call::view(std::size_t n) {
  if (facts_.arguments[n].resident)
    views_[n].take_resident(given_[n], what(n), device_);
  else
    views_[n].take(given_[n], what(n));
}

void Call::infer(std::size_t parameter, std::size_t n, int axis) {
  Parameter& p = parameters_[parameter];
  const std::int64_t extent = views_[n].extent(axis);
  if (!p.value) {
    p = {extent, int(n), axis};
    return;
  }
  if (p.from < 0 || *p.value == extent) return;
  throw KernelFailure(strata_error_bad_shape,
                      kernel() + ": parameter " + facts_.parameters[parameter] + " is " +
                          std::to_string(*p.value) + " as " +
                          place(facts_, std::size_t(p.from), p.axis) + ", and " +
                          std::to_string(extent) + " as " + place(facts_, n, axis));
}

void Call::infer_from(std::size_t n) {
  const std::vector<int>& parameters = facts_.arguments[n].parameter_of_axis;
  for (std::size_t axis = 0; axis < parameters.size(); ++axis)
    if (parameters[axis] >= 0) infer(std::size_t(parameters[axis]), n, int(axis));
}

void Call::infer_parameters() {
  for (std::size_t n = 0; n < given_.size(); ++n)
    if (given_[n].is_valid() && !given_[n].is_none()) infer_from(n);
  for (std::size_t n = 0; n < parameters_.size(); ++n)
    if (!parameters_[n].value)
      refuse_call(kernel() + ": parameter " + facts_.parameters[n] +
                  " is missing, and is the extent of no array given");
  for (std::size_t n = 0; n < scalars_.size(); ++n)
    if (!scalars_[n]) refuse_call(kernel() + ": scalar " + facts_.scalars[n].name + " is missing");
}

// The values of expressions over known parameters.
class Values : public Intervals {
 public:
  explicit Values(std::function<std::optional<std::int64_t>(const std::string&)> value_of)
      : value_of_(std::move(value_of)) {}

 private:
  Known taken(const Expr& e, const std::vector<Known>& parts) override {
    if (e.op() != Op::parameter) return exact(e, parts);
    const auto value = value_of_(e.name());
    return value ? Known(Interval{*value, *value}) : std::nullopt;
  }
  std::function<std::optional<std::int64_t>(const std::string&)> value_of_;
};

std::int64_t Call::value_of(const Expr& extent, std::size_t n) const {
  Values values([&](const std::string& name) -> std::optional<std::int64_t> {
    const auto p =
        find_named(facts_.parameters, name, [](const auto& q) -> std::string_view { return q; });
    return p ? parameters_[*p].value : std::nullopt;
  });
  const Known value = values.of(extent);
  if (!value || value->lowest != value->highest)
    refuse_call(what(n) + " is missing, and its size is not known before the kernel runs");
  return std::int64_t(std::clamp<Wide>(value->lowest, 0, std::numeric_limits<std::int64_t>::max()));
}

// An array of zeros, since the kernel need not write every element of a bounding box.
nb::object zeros(Type type, const std::vector<std::int64_t>& extents) {
  nb::list shape;
  for (const std::int64_t extent : extents) shape.append(extent);
  nb::object name = nb::cast(type == boolean ? "bool" : to_string(type));
  if (type == bf16) name = nb::module_::import_("ml_dtypes").attr("bfloat16");
  return nb::module_::import_("numpy").attr("zeros")(nb::tuple(shape), name);
}

void Call::make_output(std::size_t n) {
  const KernelArgument& argument = facts_.arguments[n];
  std::vector<std::int64_t> shape;
  for (const Expr& extent : argument.extents) shape.push_back(value_of(extent, n));
  try {
    given_[n] = argument.resident ? new_array(shape, argument.type, device_.chosen())
                                  : zeros(argument.type, shape);
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_MemoryError) && !error.matches(PyExc_ValueError)) throw;
    throw KernelFailure(
        strata_error_out_of_memory,
        what(n) + " is missing, and numpy cannot make it: " + escaped_text(error.value()));
  } catch (const std::bad_alloc&) {
    throw KernelFailure(strata_error_out_of_memory,
                        what(n) + " is missing, and there is no memory for it");
  } catch (const KernelFailure& failure) {
    throw KernelFailure(failure.code(), what(n) + " is missing: " + failure.what());
  }
  made_.push_back(given_[n]);
  view(n);
}

void Call::make_outputs() {
  for (std::size_t n = 0; n < given_.size(); ++n)
    if (!given_[n].is_valid() || given_[n].is_none()) make_output(n);
}

void Call::run(const JitFunction& code) {
  std::vector<std::int64_t> parameters;
  parameters.reserve(parameters_.size());
  for (const Parameter& p : parameters_) parameters.push_back(*p.value);
  std::vector<ScalarValue> scalars;
  for (const auto& scalar : scalars_) scalars.push_back(*scalar);
  std::vector<halide_buffer_t*> buffers;
  buffers.reserve(views_.size());
  for (ArrayView& view : views_) buffers.push_back(view.argument());
  std::string message;
  int result = 0;
  {
    const Unlocked unlocked;
    result = code(parameters, scalars, buffers, {"", 0});
    if (result != 0) message = strata_last_error();
    const int waited = wait();
    if (result == 0 && waited != 0) message = facts_.name + ": " + strata_last_error();
    if (result == 0) result = waited;
  }
  if (result != 0) throw KernelFailure(result, message);
}

// Waits for the device: copies from pinned host memory may go on after the kernel, and the call
// frees that memory.
int Call::wait() {
  const auto is_there = [](const ArrayView& view) { return view.is_on_device(); };
  const auto there = std::find_if(views_.begin(), views_.end(), is_there);
  const bool waits = device_.waits() || !std::all_of(views_.begin(), views_.end(), is_there);
  return there != views_.end() && waits ? there->wait() : 0;
}

nb::object Call::result() const {
  if (made_.empty()) return nb::none();
  if (made_.size() == 1) return made_[0];
  nb::list all;
  for (const nb::object& array : made_) all.append(array);
  return nb::tuple(all);
}

nb::str text_of(const PythonKernel& kernel) {
  return nb::str(
      ("<kernel " + kernel.facts().name + "(" + names_of(kernel.facts()) + ")>").c_str());
}

}  // namespace

nb::object PythonKernel::operator()(const nb::args& positional, const nb::kwargs& named) const {
  Call call(facts_);
  call.take_positional(positional);
  call.take_named(named);
  call.view_arrays();
  call.infer_parameters();
  call.make_outputs();
  call.run(code_);
  return call.result();
}

void add_kernel(nb::module_& m) {
  nb::class_<PythonKernel>(
      m, "Kernel",
      "A compiled kernel; Function.jit makes one. kernel(x, y, N=10): arrays in\n"
      "the order of the arguments or by name, parameters and scalars by name. Index k of\n"
      "the program is axis k of an array. Parameters that are extents of an\n"
      "array may be left out, and outputs: these are made and returned.\n"
      "KernelError names the argument that does not fit.")
      .def("__call__", &PythonKernel::operator(),
           nb::sig("def __call__(self, *arrays: object, **named: object) -> Any"))
      .def(
          "profile", [](const PythonKernel& self) { return self.profile(python_line()); },
          "The profile of its calls, if it was compiled with profile=True (E0106).")
      .def_prop_ro("name", [](const PythonKernel& self) { return self.facts().name; })
      .def_prop_ro("parameters", [](const PythonKernel& self) { return self.facts().parameters; })
      .def_prop_ro("scalars",
                   [](const PythonKernel& self) {
                     std::vector<std::string> names;
                     for (const KernelScalar& s : self.facts().scalars) names.push_back(s.name);
                     return names;
                   })
      .def_prop_ro("arguments",
                   [](const PythonKernel& self) {
                     std::vector<std::string> names;
                     for (const KernelArgument& a : self.facts().arguments) names.push_back(a.name);
                     return names;
                   })
      .def_prop_ro(
          "times", [](const PythonKernel& self) { return self.times(); },
          "The CPU time of each stage of its compilation.")
      .def("__repr__", &text_of);
}

}  // namespace strata::python
