// The extension module strata._strata.
#include "python/module.h"

#include <strata/runtime.h>

#include "python/turns.h"

NB_MODULE(_strata, m) {
  using namespace strata::python;
  // Modules and threads outlive the interpreter's end, where their objects are not freed.
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
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&await_all));
  nb::module_::import_("os").attr("register_at_fork")(nb::arg("after_in_child") =
                                                          nb::cpp_function(&forget_threads));
}
