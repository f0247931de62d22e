"""The source of a Python extension that calls an object's kernel."""

from __future__ import annotations

import pathlib
import re

_SOURCE = """\
/* A Python extension with the kernel @name@(@arguments@): arrays have the buffer protocol.
 *   cc -shared -fPIC $(python3-config --includes) @file@ @object@ -lstrata_runtime -lpthread \\
 *      -ldl -lm -o @name@$(python3-config --extension-suffix) */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <strata/runtime.h>
#include <string.h>

#include "@header@"

enum { PARAMETERS = @parameters@, BUFFERS = @buffers@ };

/* One letter, in the byte order of this machine, and strides of whole elements. */
static int is_plain(const Py_buffer *view) {
  const char *format = view->format;
  int plain = view->ndim <= STRATA_MAX_RANK;
  if (*format && strchr("@=<", *format)) ++format;
  plain = plain && strlen(format) == 1 && strchr("?bhilqnBHILQNefd", *format);
  for (int axis = 0; plain && axis < view->ndim; ++axis) {
    const Py_ssize_t stride = view->strides[axis] / view->itemsize;
    plain = view->strides[axis] % view->itemsize == 0 && stride == (int32_t)stride;
  }
  return plain;
}

static strata_type type_of(const Py_buffer *view) {
  const char kind = view->format[strlen(view->format) - 1];
  const uint8_t bits = (uint8_t)(8 * view->itemsize);
  if (kind == '?') return strata_boolean();
  if (strchr("efd", kind)) return strata_float(bits);
  return strchr("bhilqn", kind) ? strata_int(bits) : strata_uint(bits);
}

static void describe(const Py_buffer *view, strata_buffer *buffer, strata_dimension *dimensions) {
  int64_t extents[STRATA_MAX_RANK] = {0};
  for (int axis = 0; axis < view->ndim; ++axis) extents[axis] = view->shape[axis];
  strata_buffer_init(buffer, type_of(view), view->buf, view->ndim, dimensions, extents);
  for (int axis = 0; axis < view->ndim; ++axis)
    dimensions[view->ndim - 1 - axis].stride = (int32_t)(view->strides[axis] / view->itemsize);
}

static PyObject *call(PyObject *self, PyObject *const *given, Py_ssize_t count) {
  static const int writable[] = {@writable@};
  int64_t parameters[PARAMETERS + 1];
  Py_buffer views[BUFFERS];
  strata_buffer buffers[BUFFERS];
  strata_dimension dimensions[BUFFERS][STRATA_MAX_RANK];
  int viewed = 0, code = 0;
  (void)self;
  if (count != PARAMETERS + BUFFERS)
    return PyErr_Format(PyExc_TypeError, "@name@ takes (@arguments@)");
  for (int n = 0; n < PARAMETERS; ++n) {
    parameters[n] = PyLong_AsLongLong(given[n]);
    if (PyErr_Occurred()) return NULL;
  }
  for (; viewed < BUFFERS; ++viewed) {
    const int flags = writable[viewed] ? PyBUF_RECORDS : PyBUF_RECORDS_RO;
    if (PyObject_GetBuffer(given[PARAMETERS + viewed], &views[viewed], flags) != 0) break;
    if (!is_plain(&views[viewed])) {
      PyErr_Format(PyExc_ValueError, "array %d has a format or strides that no kernel takes",
                   viewed);
      PyBuffer_Release(&views[viewed]);
      break;
    }
    describe(&views[viewed], &buffers[viewed], dimensions[viewed]);
  }
  (void)parameters;
  if (viewed == BUFFERS) {
    Py_BEGIN_ALLOW_THREADS
    code = @name@(@call@);
    Py_END_ALLOW_THREADS
  }
  while (viewed-- > 0) PyBuffer_Release(&views[viewed]);
  if (PyErr_Occurred()) return NULL;
  if (code != 0) return PyErr_Format(PyExc_RuntimeError, "%s", strata_last_error());
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"@name@", (PyCFunction)(void (*)(void))call, METH_FASTCALL, "@name@(@arguments@)"},
    {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "@name@", .m_size = -1, .m_methods = methods};

PyMODINIT_FUNC PyInit_@name@(void) { return PyModule_Create(&module); }
"""


def write_extension(object: str, inputs: set[str]) -> str:
    """Writes OBJECT.py.c beside an object and its header; returns its path."""
    header = pathlib.Path(object).with_suffix(".h")
    text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
    match = re.search(r"int (\w+)\(([^)]*)\);", text)
    assert match
    name, arguments = match[1], [a.split() for a in match[2].split(",")]
    names = [a[-1].lstrip("*") for a in arguments]
    parameters = [n for n, a in zip(names, arguments) if "int64_t" in a]
    buffers = names[len(parameters):]
    source = header.with_name(header.stem + ".py.c")
    call = [f"parameters[{k}]" for k in range(len(parameters))]
    call += [f"strata_argument(&buffers[{k}])" for k in range(len(buffers))]
    values = {"name": name, "arguments": ", ".join(names), "file": source.name,
              "object": pathlib.Path(object).name, "header": header.name,
              "parameters": str(len(parameters)), "buffers": str(len(buffers)),
              "writable": ", ".join("0" if b in inputs else "1" for b in buffers),
              "call": ", ".join(call)}
    source.write_text(re.sub(r"@(\w+)@", lambda m: values[m[1]], _SOURCE))
    return str(source)
