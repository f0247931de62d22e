// The extension module strata._strata.
#include "python/module.h"

#include <strata/runtime.h>

#include "python/graph.h"
#include "python/turns.h"

namespace {

// Is "m" made a second time, as after `del sys.modules["strata._strata"]`? Types are registered
// once in a process, so the new module then gets the contents of the first one.
bool is_again(nanobind::module_& m) {
  static PyObject* const first = m.inc_ref().ptr();
  if (first == m.ptr()) return false;
  m.attr("__dict__").attr("update")(nanobind::handle(first).attr("__dict__"));
  return true;
}

}  // namespace

NB_MODULE(_strata, m) {
  using namespace strata::python;
  if (is_again(m)) return;
  // Modules and threads outlive the interpreter, so at its end their objects are not freed.
  nb::set_leak_warnings(false);
  m.doc() = "Strata's extension module; import strata instead.";
  m.attr("__version__") = strata_version();
  add_errors(m);
  add_types(m);
  add_expressions(m);
  add_functions_of_expressions(m);
  add_reductions(m);
  add_handles(m);
  add_computation(m);
  add_function(m);
  add_machine(m);
  add_kernel(m);
  add_array(m);
  add_streams(m);
  nb::module_ graph = m.def_submodule("_graph", "The operator graph; import strata.graph instead.");
  add_tensors(graph);
  add_graph_operators(graph);
  add_tensor_programs(graph);
  add_value_types(graph);
  add_graph_values(graph);
  add_graph_modules(graph);
  add_graph_builder(graph);
  add_graph_passes(graph);
  add_graph_pages(graph);
  add_graph_runs(graph);
  add_graph_machine(graph);
  add_graph_onnx(graph);
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&await_all));
  nb::module_::import_("os").attr("register_at_fork")(
      nb::arg("before") = nb::cpp_function(&begin_fork),
      nb::arg("after_in_parent") = nb::cpp_function(&end_fork),
      nb::arg("after_in_child") = nb::cpp_function(&forget_threads));
}
