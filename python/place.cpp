#include "python/place.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

namespace nb = nanobind;

namespace strata::python {

namespace {

// "strata" with its dots, as frames know their module: strata, strata.tiramisu, ..
bool is_of_package(PyFrameObject* frame) {
  const nb::object globals = nb::steal(PyFrame_GetGlobals(frame));
  PyObject* name = PyDict_GetItemString(globals.ptr(), "__name__");
  if (!name || !PyUnicode_Check(name)) return false;
  const std::string_view text = nb::cast<std::string_view>(nb::handle(name));
  return text == "strata" || text.starts_with("strata.");
}

std::string file_of(PyFrameObject* frame) {
  PyCodeObject* code = PyFrame_GetCode(frame);
  const nb::object owner = nb::steal(reinterpret_cast<PyObject*>(code));
  return nb::cast<std::string>(nb::handle(code->co_filename));
}

}  // namespace

Where python_line() {
  nb::object frame = nb::borrow(reinterpret_cast<PyObject*>(PyEval_GetFrame()));
  while (frame.is_valid()) {
    PyFrameObject* here = reinterpret_cast<PyFrameObject*>(frame.ptr());
    if (!is_of_package(here)) return {file_of(here), PyFrame_GetLineNumber(here)};
    frame = nb::steal(reinterpret_cast<PyObject*>(PyFrame_GetBack(here)));
  }
  return {"", 0};
}

}  // namespace strata::python
