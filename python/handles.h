// Input and Computation have this in common: their elements can be read.
#pragma once

#include "python/bind.h"
#include "python/module.h"

namespace strata::python {

// x[i, j], x[i] and x[()].
template <typename Handle>
Expr element_of(const Handle& array, nb::handle indices) {
  const Expr whole = array.array();
  std::vector<Expr> list;
  const auto add = [&](nb::handle index) {
    list.push_back(index_of(index, whole.name(), list.size()));
  };
  if (PyTuple_Check(indices.ptr()))
    for (const nb::handle index : nb::borrow<nb::tuple>(indices)) add(index);
  else
    add(indices);
  return access(whole.name(), array.type(), list, array.owner());
}

template <typename Handle>
void add_elements(nb::class_<Handle>& type) {
  type.def("__getitem__", &element_of<Handle>, "indices"_a,
           nb::sig("def __getitem__(self, indices: Indices, /) -> Expr"),
           "The element at these indices, for use in expressions.");
  type.def(
      "__call__",
      [](const Handle& self, const nb::args& indices) { return element_of(self, indices); },
      nb::sig("def __call__(self, *indices: Operand) -> Expr"),
      "The element at these indices, for use in expressions.");
  type.def("array", &Handle::array, "All elements, as an argument of call(..).");
  type.def("buffer", &Handle::buffer, "The buffer that stores the elements.");
  type.def_prop_ro("name", [](const Handle& self) { return self.name(); });
  type.def_prop_ro("type", [](const Handle& self) { return self.type(); });
  add_operators(type);
}

}  // namespace strata::python
