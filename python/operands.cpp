#include "python/operands.h"

namespace strata::python {

namespace {

std::optional<Expr> integer_literal(nb::handle object) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (!overflow) {
    if (value == std::int32_t(value)) return Expr(std::int32_t(value));
    return Expr(std::int64_t(value));
  }
  const unsigned long long large = PyLong_AsUnsignedLongLong(object.ptr());
  if (PyErr_Occurred()) throw nb::python_error();
  return Expr(std::uint64_t(large));
}

// A constant from a scalar of numpy, or of a package that adds dtypes to numpy, with its type.
std::optional<Expr> typed_scalar(nb::handle object) {
  const auto type = find_scalar_type(object);
  if (!type) return std::nullopt;
  if (is_float(*type)) return real_constant(*type, nb::cast<double>(nb::float_(object)));
  const nb::int_ value(object);
  int overflow = 0;
  const long long small = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (!overflow) return constant(*type, small);
  return constant(*type, std::int64_t(PyLong_AsUnsignedLongLong(value.ptr())));
}

std::optional<Expr> handle_expression(nb::handle object) {
  if (nb::isinstance<Expr>(object)) return nb::cast<const Expr&>(object);
  if (nb::isinstance<Var>(object)) return Expr(nb::cast<const Var&>(object));
  if (nb::isinstance<Param>(object)) return Expr(nb::cast<const Param&>(object));
  if (nb::isinstance<Scalar>(object)) return Expr(nb::cast<const Scalar&>(object));
  if (nb::isinstance<Computation>(object)) return Expr(nb::cast<const Computation&>(object));
  if (nb::isinstance<Input>(object)) return Expr(nb::cast<const Input&>(object));
  return std::nullopt;
}

// The answer for a caster. A Python error inside "find" means "not of this kind".
template <typename Find>
bool found(Find find) noexcept {
  try {
    return find();
  } catch (nb::python_error&) {
    return false;
  } catch (const std::exception&) {
    return false;
  }
}

std::optional<Var> find_loop(nb::handle object) {
  if (nb::isinstance<Var>(object)) return nb::cast<const Var&>(object);
  if (PyUnicode_Check(object.ptr())) return Var(nb::cast<std::string>(object));
  return std::nullopt;
}

}  // namespace

std::optional<Expr> find_expression(nb::handle object) {
  if (auto handle = handle_expression(object)) return handle;
  PyObject* const p = object.ptr();
  if (PyBool_Check(p)) return Expr(p == Py_True);
  if (PyLong_CheckExact(p)) return integer_literal(object);
  if (PyFloat_CheckExact(p)) return Expr(PyFloat_AS_DOUBLE(p));
  if (auto scalar = typed_scalar(object)) return scalar;
  if (PyLong_Check(p)) return integer_literal(object);
  if (PyFloat_Check(p)) return Expr(PyFloat_AsDouble(p));
  return std::nullopt;
}

std::optional<Type> find_scalar_type(nb::handle object) {
  if (!nb::hasattr(object, "dtype") || !nb::hasattr(object, "shape")) return std::nullopt;
  const nb::object shape = object.attr("shape");
  if (!PyTuple_Check(shape.ptr()) || PyTuple_GET_SIZE(shape.ptr()) != 0) return std::nullopt;
  return find_type(object.attr("dtype"));
}

std::optional<Type> find_type(nb::handle object) {
  if (nb::isinstance<Type>(object)) return nb::cast<Type>(object);
  nb::object name = nb::borrow(object);
  if (!PyUnicode_Check(object.ptr())) {
    if (!nb::hasattr(object, "name") || PyType_Check(object.ptr()))
      name = nb::module_::import_("numpy").attr("dtype")(object);
    if (nb::hasattr(name, "isnative") && !nb::cast<bool>(name.attr("isnative")))
      return std::nullopt;
    name = name.attr("name");
  }
  const std::string text = nb::cast<std::string>(name);
  return type_named(text == "bool" ? "boolean" : text);
}

std::string escaped_text(nb::handle object) {
  const nb::object text = nb::steal(PyObject_Str(object.ptr()));
  if (!text.is_valid()) throw nb::python_error();
  const nb::object bytes =
      nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace"));
  if (!bytes.is_valid()) throw nb::python_error();
  return {PyBytes_AS_STRING(bytes.ptr()), std::size_t(PyBytes_GET_SIZE(bytes.ptr()))};
}

Expr index_of(nb::handle object, const std::string& array, std::size_t position) {
  const bool is_float = PyFloat_Check(object.ptr());
  if (!is_float)
    if (const auto e = find_expression(object)) return *e;
  const std::string given =
      PySlice_Check(object.ptr()) ? "a slice" : Py_TYPE(object.ptr())->tp_name;
  throw nb::type_error(("index " + std::to_string(position) + " of " + array + " is " + given +
                        "; an index is an int or an expression of integers, such as i + 1")
                           .c_str());
}

}  // namespace strata::python

namespace nanobind::detail {

using namespace strata::python;

bool type_caster<Operand>::from_python(handle source, uint8_t, cleanup_list*) noexcept {
  return found([&] {
    const auto e = find_expression(source);
    if (e) value.value = *e;
    return e.has_value();
  });
}

bool type_caster<Integer>::from_python(handle source, uint8_t, cleanup_list*) noexcept {
  return found([&] {
    if (!PyIndex_Check(source.ptr())) return false;
    value.value = nanobind::cast<std::int64_t>(source);
    return true;
  });
}

bool type_caster<TypeName>::from_python(handle source, uint8_t, cleanup_list*) noexcept {
  return found([&] {
    const auto type = find_type(source);
    if (type) value.value = *type;
    return type.has_value();
  });
}

bool type_caster<LoopName>::from_python(handle source, uint8_t, cleanup_list*) noexcept {
  return found([&] {
    const auto loop = find_loop(source);
    if (loop) value.value = *loop;
    return loop.has_value();
  });
}

bool type_caster<LoopNames>::from_python(handle source, uint8_t, cleanup_list*) noexcept {
  return found([&] {
    value.value.clear();
    if (const auto one = find_loop(source)) {
      value.value = {*one};
      return true;
    }
    if (!PyList_Check(source.ptr()) && !PyTuple_Check(source.ptr())) return false;
    for (const handle item : borrow<sequence>(source)) {
      const auto loop = find_loop(item);
      if (!loop) return false;
      value.value.push_back(*loop);
    }
    return true;
  });
}

bool type_caster<Size>::from_python(handle source, uint8_t, cleanup_list*) noexcept {
  return found([&] {
    if (isinstance<strata::Param>(source))
      value.value = strata::TileSize(nanobind::cast<const strata::Param&>(source));
    else if (PyIndex_Check(source.ptr()))
      value.value = strata::TileSize(nanobind::cast<std::int64_t>(source));
    else
      return false;
    return true;
  });
}

bool type_caster<BufferName>::from_python(handle source, uint8_t, cleanup_list*) noexcept {
  return found([&] {
    if (isinstance<strata::Buffer>(source))
      value.value = nanobind::cast<const strata::Buffer&>(source);
    else if (isinstance<strata::Input>(source))
      value.value = nanobind::cast<const strata::Input&>(source).buffer();
    else if (isinstance<strata::Computation>(source))
      value.value = nanobind::cast<const strata::Computation&>(source).buffer();
    else
      return false;
    return true;
  });
}

}  // namespace nanobind::detail
