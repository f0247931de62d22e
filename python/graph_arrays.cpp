// Arrays between Python and the graph.
#include <algorithm>

#include "graph/evaluate/element.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/failures.h"
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
  const std::shared_ptr<ArrayView> view(new ArrayView, [](ArrayView* last) {
    const nb::gil_scoped_acquire lock;
    delete last;
  });
  view->take(object, what);
  const strata_type type = graph::element_type_of(view->type());
  std::vector<std::int64_t> extents;
  for (int axis = 0; axis < view->rank(); ++axis) extents.push_back(view->extent(axis));
  const bool is_empty = std::count(extents.begin(), extents.end(), 0) > 0;
  const bool is_aligned =
      reinterpret_cast<std::uintptr_t>(view->data()) % std::size_t(bytes(view->type())) == 0;
  if (!is_empty && !view->is_read_only() && view->is_dense() && is_aligned)
    return NDArray::around(type, std::move(extents), static_cast<std::byte*>(view->data()), view);
  NDArray array(type, std::move(extents));
  const int code = is_empty ? 0 : strata_copy_array(view->argument(), array);
  if (code != 0) throw KernelFailure(code, what + ": " + strata_last_error());
  return array;
}

nb::object python_array(const NDArray& array) { return new_array(array, type_of(array)); }

nb::list python_arrays(const std::vector<NDArray>& arrays) {
  nb::list all;
  for (const NDArray& array : arrays) all.append(python_array(array));
  return all;
}

}  // namespace strata::python
