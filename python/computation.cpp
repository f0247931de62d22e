// Computation: its properties and definitions.
#include "python/handles.h"

namespace strata::python {

void add_computation(nb::module_& m) {
  ComputationClass c(
      m, "Computation",
      "One definition of an array of values, and the loops that run it. x[i, j] reads a value.\n\n"
      "Commands name loops by Var or by name. Each is proved legal when it is given, or raises\n"
      "strata.Error with a counter-example and changes nothing; it returns this computation, or\n"
      "the one that it makes. Sizes, factors and distances are numbers of iterations, extents are\n"
      "numbers of elements.\n\n"
      "The examples of commands go on from here:\n\n"
      "    >>> import strata as st\n"
      "    >>> f = st.Function('f')\n"
      "    >>> N = f.param('N')\n"
      "    >>> i, j = st.Var('i', 0, N), st.Var('j', 0, N)\n"
      "    >>> x = f.input('x', st.f32, [N, N])\n"
      "    >>> b = f.computation('b', [i, j], x[i, j] * 2)\n"
      "    >>> y = f.computation('y', [i, j], b[i, j] + 1)");
  add_elements(c);
  c.def("__repr__", [](const Computation& self) { return self.name(); });
  add_definitions(c);
  add_loop_commands(c);
  add_order_commands(c);
  add_storage_commands(c);
  add_launch_commands(c);
}

void add_definitions(ComputationClass& c) {
  using C = Computation;
  c.def("component", Command<std::size_t>::of(&C::component), "number"_a,
        "Of a computation of tuples: a handle for reading scalar \"number\". E0106 if there is "
        "none.");
  c.def(
      "piece", [](const C& self, const std::string& name) { return self.piece(name); }, "name"_a,
      "A piece that set_schedule, compute_at or peel has put in a place of its own; text() lists\n"
      "the names.");
  c.def("define", Command<const Expr&>::of(&C::define), "value"_a, itself,
        "Gives a declared computation its value, of the declared type (E0110).");
  c.def("update", Command<const Iterators&, const std::vector<Expr>&, const Expr&>::of(&C::update),
        "iterators"_a, "element"_a, "value"_a,
        "Redefines the element at these indices for all iterators, after all definitions so far;\n"
        "returns a handle of its own. The indices may be data (a scatter).");
  c.def("where", Command<const Expr&>::of(&C::where), "condition"_a, itself,
        "Where the condition is false the instance does nothing. Before the first command; a\n"
        "condition that reads arrays only on updates and reductions (E0106).");
  c.def(
      "unchecked", [](const C& self) { return self.unchecked(); },
      "A handle whose next command is not checked: its violations are recorded as waived.");
}

}  // namespace strata::python
