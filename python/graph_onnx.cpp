// Models of other programs as modules.
#include <nanobind/stl/string.h>

#include "graph/onnx/load.h"
#include "python/bind.h"
#include "python/graph.h"
#include "python/graph_values.h"

namespace strata::python {

namespace {

// In "bind", ints are for dims, and everything else is for inputs.
graph::OnnxOptions options_of(const nb::dict& bind, const std::string& function) {
  graph::OnnxOptions options;
  options.function = function;
  for (const auto& [key, value] : bind) {
    const auto name = nb::cast<std::string>(key);
    if (PyLong_Check(value.ptr()) && !PyBool_Check(value.ptr()))
      options.dims[name] = int64_of(value);
    else if (const auto number = find_number(value))
      options.values[name] = *number;
    else
      options.values[name] = array_of(value, "load_onnx: \"" + name + "\" of bind");
  }
  return options;
}

graph::Module loaded(const std::string& file, const nb::dict& bind, const std::string& function) {
  const graph::OnnxOptions options = options_of(bind, function);
  const Where where = python_line();
  const nb::gil_scoped_release unlocked;
  return graph::load_onnx(file, options, where);
}

graph::Module read(const nb::bytes& bytes, const std::optional<std::string>& folder,
                   const nb::dict& bind, const std::string& function) {
  const graph::OnnxOptions options = options_of(bind, function);
  const Where where = python_line();
  const nb::gil_scoped_release unlocked;
  return graph::read_onnx({bytes.c_str(), bytes.size()}, folder, options, where);
}

}  // namespace

void add_graph_onnx(nb::module_& m) {
  m.def("load_onnx_file", &loaded, "file"_a, "bind"_a, "function"_a,
        nb::sig("def load_onnx_file(file: str, bind: dict[str, object], function: str) -> Module"));
  m.def("load_onnx_bytes", &read, "contents"_a, "folder"_a.none(), "bind"_a, "function"_a,
        nb::sig("def load_onnx_bytes(contents: bytes, folder: str | None, bind: dict[str, object], "
                "function: str) -> Module"));
}

}  // namespace strata::python
