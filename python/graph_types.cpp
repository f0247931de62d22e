// Types of values.
#include "graph/ir/value.h"
#include "python/bind.h"
#include "python/graph.h"

namespace strata::python {

namespace {

using graph::ValueType;

const char* name_of(ValueType::Kind kind) {
  static const char* const names[] = {"tensor", "shape", "tuple", "function", "object", "nothing"};
  return names[int(kind)];
}

std::optional<int> rank_of(const std::optional<Integer>& rank) {
  if (!rank) return std::nullopt;
  if (rank->value < 0 || rank->value > 1000) throw nb::value_error("a rank is from 0 to 1000");
  return int(rank->value);
}

ValueType tensor_type(nb::handle shape, const std::optional<TypeName>& dtype,
                      const std::optional<Integer>& rank) {
  const auto element = dtype ? std::optional(dtype->value) : std::nullopt;
  if (shape.is_none()) return ValueType::tensor(rank_of(rank), element);
  if (nb::isinstance<graph::Value>(shape)) {
    const graph::Value extents = nb::cast<graph::Value>(shape);
    if (!extents.is_variable() || !extents.type().is_shape())
      throw nb::type_error("the extents of a tensor are dims, or a variable that is a shape");
    return ValueType::tensor(extents, rank ? rank_of(rank) : extents.type().rank(), element);
  }
  const graph::Shape dims = dims_of(shape, "ValueType.tensor");
  if (rank && rank_of(rank) != dims.rank()) throw nb::value_error("rank is not that of the shape");
  return ValueType::tensor(dims, element);
}

ValueType shape_type(nb::handle dims, const std::optional<Integer>& rank) {
  if (dims.is_none()) return ValueType::shape(rank_of(rank));
  const graph::Shape shape = dims_of(dims, "ValueType.shape");
  if (rank && rank_of(rank) != shape.rank()) throw nb::value_error("rank is not that of the dims");
  return ValueType::shape(shape);
}

using TypeClass = nb::class_<ValueType>;

void add_makers(TypeClass& c) {
  c.def(nb::init<>(), "Of anything: Object.");
  c.def_static(
      "tensor", &tensor_type, "shape"_a.none() = nb::none(), "dtype"_a = nb::none(), nb::kw_only(),
      "rank"_a = nb::none(),
      "An array. shape is a list of dims (ints, and expressions over symbols), a variable\n"
      "that holds the extents, or None: unknown, of a rank, or of any. Without dtype the\n"
      "type of the elements is unknown.");
  c.def_static("shape", &shape_type, "dims"_a.none() = nb::none(), nb::kw_only(),
               "rank"_a = nb::none(), "The extents of an array, as a value.");
  c.def_static(
      "tuple",
      [](const std::vector<ValueType>& fields) { return ValueType::tuple(fields, python_line()); },
      "fields"_a, "Values of these types. E0601 if more than 100 are nested.");
  c.def_static("function", &ValueType::function, "The name of a global.");
  c.def_static("nothing", &ValueType::nothing, "None.");
}

void add_parts(TypeClass& c) {
  c.def_prop_ro("kind", [](const ValueType& self) { return name_of(self.kind()); });
  c.def_prop_ro(
      "dims",
      [](const ValueType& self) -> nb::object {
        if (!self.dims()) return nb::none();
        return python_shape(*self.dims());
      },
      nb::for_getter(nb::sig("def dims(self) -> Dims | None")),
      "The extents of a tensor, the numbers of a shape; None if they are unknown.");
  c.def_prop_ro("rank", &ValueType::rank, "How many dims there are, if that is known.");
  c.def_prop_ro(
      "dtype",
      [](const ValueType& self) {
        return self.element() ? std::optional(to_string(*self.element())) : std::nullopt;
      },
      "The type of a tensor's elements, if it is known.");
  c.def_prop_ro("fields", &ValueType::fields, "The types of a tuple's fields.");
}

}  // namespace

void add_value_types(nb::module_& m) {
  TypeClass c(m, "ValueType",
              "What is known of a value before a program runs. Two are equal if their texts are:\n"
              "dims are compared by their normal forms.");
  add_makers(c);
  add_parts(c);
  c.def("__repr__", &ValueType::text);
  c.def("__eq__", [](const ValueType& self, const ValueType& other) { return self == other; });
  c.def("__eq__", [](const ValueType&, nb::handle) { return false; });
  c.def("__hash__", [](const ValueType& self) { return std::hash<std::string>()(self.text()); });
}

}  // namespace strata::python
