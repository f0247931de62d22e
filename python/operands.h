// Operands, as a Python program may write them.
//
// With the casters below, a binding names the C++ type. A value of another kind gives a TypeError
// with the signature.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "strata/strata.h"

namespace nb = nanobind;

namespace strata::python {

// Python numbers are like C++ literals. An int takes the type of its partner; without a partner it
// is int32, int64 or uint64. A float is a float64 that rounds to any float type. A scalar of numpy
// has its own type. Nothing if "object" is not an expression. OverflowError if an int needs more
// than 64 bits.
std::optional<Expr> find_expression(nb::handle object);

// The type from f32, "float32", a dtype of numpy, or a class that numpy accepts as one.
std::optional<Type> find_type(nb::handle object);

// The type of a scalar of numpy, or of a package that adds dtypes to it; nothing for others.
std::optional<Type> find_scalar_type(nb::handle object);

// str(object), with characters that UTF-8 does not have escaped.
std::string escaped_text(nb::handle object);

// The index "object", at "position" of an access of "array". TypeError, with what an index may be,
// for anything else.
Expr index_of(nb::handle object, const std::string& array, std::size_t position);

struct Operand {
  Expr value;
};
// An int, or an object with __index__. nanobind's own casters would accept "3" for 3.
struct Integer {
  std::int64_t value = 0;
};
struct TypeName {
  Type value = f32;
};
// A Var, or the name of a loop.
struct LoopName {
  Var value{""};
};
// One Var, or a list of them; names are Vars without a range.
struct LoopNames {
  std::vector<Var> value;
};
struct Size {
  TileSize value{0};
};
// A Buffer, or an Input or Computation for its buffer.
struct BufferName {
  Buffer value{""};
};

}  // namespace strata::python

namespace nanobind::detail {

template <>
struct type_caster<strata::python::Operand> {
  NB_TYPE_CASTER(strata::python::Operand, const_name("Operand"))
  bool from_python(handle source, uint8_t, cleanup_list*) noexcept;
};

template <>
struct type_caster<strata::python::Integer> {
  NB_TYPE_CASTER(strata::python::Integer, const_name("SupportsIndex"))
  bool from_python(handle source, uint8_t, cleanup_list*) noexcept;
};

template <>
struct type_caster<strata::python::TypeName> {
  NB_TYPE_CASTER(strata::python::TypeName, const_name("TypeLike"))
  bool from_python(handle source, uint8_t, cleanup_list*) noexcept;
};

template <>
struct type_caster<strata::python::LoopName> {
  NB_TYPE_CASTER(strata::python::LoopName, const_name("LoopName"))
  bool from_python(handle source, uint8_t, cleanup_list*) noexcept;
};

template <>
struct type_caster<strata::python::LoopNames> {
  NB_TYPE_CASTER(strata::python::LoopNames, const_name("LoopNames"))
  bool from_python(handle source, uint8_t, cleanup_list*) noexcept;
};

template <>
struct type_caster<strata::python::Size> {
  NB_TYPE_CASTER(strata::python::Size, const_name("Size"))
  bool from_python(handle source, uint8_t, cleanup_list*) noexcept;
};

template <>
struct type_caster<strata::python::BufferName> {
  NB_TYPE_CASTER(strata::python::BufferName, const_name("BufferLike"))
  bool from_python(handle source, uint8_t, cleanup_list*) noexcept;
};

}  // namespace nanobind::detail
