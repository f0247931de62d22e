// Arrays between Python and the graph.
#include "graph/evaluate/element.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/graph.h"

namespace strata::python {

using graph::NDArray;

namespace {

Type type_of(const NDArray& array) {
  const strata_type type = array.type();
  if (type.code == 1 && type.bits == 1) return boolean;
  if (type.code == 4) return bf16;
  const std::string name = (type.code == 2 ? "float" : type.code == 0 ? "int" : "uint");
  return *type_named(name + std::to_string(type.bits));
}

}  // namespace

NDArray array_of(nb::handle object, const std::string& what) {
  ArrayView view;
  view.take(object, what);
  std::vector<std::int64_t> extents;
  for (int axis = 0; axis < view.rank(); ++axis) extents.push_back(view.extent(axis));
  NDArray array(graph::element_type_of(view.type()), std::move(extents));
  if (array.size() > 0) strata_copy_array(view.argument(), array);
  return array;
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

}  // namespace strata::python
