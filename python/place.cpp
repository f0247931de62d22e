#include "python/place.h"

#include <string_view>

#include "python/operands.h"

namespace strata::python {

namespace {

// Is the frame's module strata, or a part such as strata.tiramisu?
bool is_of_package(PyFrameObject* frame) {
  const nb::object globals = nb::steal(PyFrame_GetGlobals(frame));
  PyObject* name = PyDict_GetItemString(globals.ptr(), "__name__");
  Py_ssize_t size = 0;
  const char* text = name && PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, &size) : nullptr;
  if (!text) PyErr_Clear();
  const std::string_view module(text ? text : "", text ? std::size_t(size) : 0);
  return module == "strata" || module.starts_with("strata.");
}

std::string file_of(PyFrameObject* frame) {
  PyCodeObject* code = PyFrame_GetCode(frame);
  const nb::object owner = nb::steal(reinterpret_cast<PyObject*>(code));
  return escaped_text(code->co_filename);
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
