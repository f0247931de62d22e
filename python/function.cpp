// Function: definitions, texts and history.
#include "dsl/author.h"
#include "python/bind.h"
#include "python/module.h"

namespace strata::python {

const Owner& owner_of(const Function& function) {
  return Author::state(function).program.algorithm->owner;
}

namespace {

using F = Function;
using Names = const std::vector<std::string>&;
using Exprs = const std::vector<Expr>&;
using Name = const std::string&;

void add_arguments(FunctionClass& f) {
  f.def(
      "param", Command<Name>::of(&F::param), "name"_a,
      "An integer argument of the kernel; or, with \"element\", one that the kernel reads from an\n"
      "integer input.");
  f.def("param", Command<Name, const Expr&>::of(&F::param), "name"_a, "element"_a);
  f.def("scalar", Command<Name, Type>::of(&F::scalar), "name"_a, "type"_a,
        "A number of any type that is an argument of the kernel, after the parameters: kernel(x,\n"
        "alpha=0.5). It is a value in expressions, and in no memory.");
  f.def(
      "input", Command<Name, Type, Exprs>::of(&F::input), "name"_a, "type"_a, "extents"_a,
      "Data passed to the kernel: elements 0 .. extent - 1 in each dimension; extents are affine\n"
      "in the parameters (E0111). Index k is axis k of the array given.");
  f.def("buffer", Command<Name, Type, Exprs>::of(&F::buffer), "name"_a, "type"_a, "extents"_a,
        "A buffer for store_in, with these extents in elements, affine in the parameters (E0111).");
  f.def("buffer", [](const F& self, Name name) { return self.buffer(name); }, "name"_a);
}

void add_computations(FunctionClass& f) {
  f.def(
      "computation", Command<Name, const Domain&, const Expr&>::of(&F::computation), "name"_a,
      "domain"_a, "value"_a,
      "name[i, ..] = value for all iterators, of the value's type. Iterators without a range are\n"
      "inferred from the readers. Every value read must exist (E0113) and be computed earlier\n"
      "(E0206). A list of names and a tuple define several scalars at once. Names are C\n"
      "identifiers, each used once in a function (E0104, E0105).\n\n"
      "    >>> import strata as st\n"
      "    >>> f = st.Function('f')\n"
      "    >>> i = st.Var('i', 0, 10)\n"
      "    >>> squares = f.computation('squares', [i], i * i)\n"
      "    >>> f.jit([squares])()\n"
      "    array([ 0,  1,  4,  9, 16, 25, 36, 49, 64, 81])");
  f.def("computation", Command<Name, const Iterators&, const Expr&>::of(&F::computation), "name"_a,
        "iterators"_a, "value"_a);
  f.def("computation", Command<Names, const Domain&, const Tuple&>::of(&F::computation), "names"_a,
        "domain"_a, "values"_a);
  f.def("computation", Command<Names, const Iterators&, const Tuple&>::of(&F::computation),
        "names"_a, "iterators"_a, "values"_a);
  f.def("declare", Command<Name, const Domain&, Type>::of(&F::declare), "name"_a, "domain"_a,
        "type"_a,
        "A computation whose value is given later by define(), so that expressions can read it\n"
        "before, its own among them.");
  f.def("declare", Command<Name, const Iterators&, Type>::of(&F::declare), "name"_a, "iterators"_a,
        "type"_a);
}

void add_history(FunctionClass& f) {
  const auto text = [](auto method) {
    return [method](const F& self) {
      await_turn(owner_of(self));
      return (self.*method)();
    };
  };
  f.def("text", text(&F::text), "Algorithm, schedule and layout as text that parses back.");
  f.def_prop_ro("name", [](const F& self) { return self.name(); });
  f.def("notes", text(&F::notes),
        "Definitions that may not do what the author meant, with the cast to write.");
  f.def("history", text(&F::history), "The commands so far, as they were given.");
  f.def("history_source", text(&F::history_source), "The history as C++ source.");
  f.def(
      "replay", Command<Name>::of(&F::replay), "commands"_a,
      "Applies commands written as in history(), one a line: all or none. E0108 if a line is not\n"
      "a command.");
}

void add_limits(FunctionClass& f) {
  f.def("assume", Command<const Expr&>::of(&F::assume), "condition"_a,
        "Adds an affine condition on the parameters (E0111), which the kernel checks at entry.");
  f.def("set_budget", Command<std::int64_t>::of(&F::set_budget), "work"_a,
        "The most work on sets for one command, in units of 0.1 us (E0901): 4 * 10**7 by default.");
  f.def("set_code_limit", Command<std::int64_t>::of(&F::set_code_limit), "size"_a,
        "The largest kernel after unrolling, in register operations (E0903): 25,000 by default.");
}

void add_devices(FunctionClass& f) {
  using A = const ArrayName&;
  f.def("resident", Command<A>::of(&F::resident), "array"_a,
        "The caller has this argument on the GPU, and finds it there afterwards.");
  f.def("host_to_device", Command<A>::of(&F::host_to_device), "array"_a,
        "The buffer is copied to the GPU when the kernel, or each iteration of a loop of "
        "\"reader\",\n"
        "begins. These copies replace the derived ones; E0401 if a value is read where it is not.");
  f.def("host_to_device", Command<A, const Computation&, const Var&>::of(&F::host_to_device),
        "array"_a, "reader"_a, "loop"_a);
  f.def("device_to_host", Command<A>::of(&F::device_to_host), "array"_a,
        "The buffer is copied from the GPU when the kernel, or each iteration of a loop of\n"
        "\"reader\", ends.");
  f.def("device_to_host", Command<A, const Computation&, const Var&>::of(&F::device_to_host),
        "array"_a, "reader"_a, "loop"_a);
}

}  // namespace

void add_function(nb::module_& m) {
  nb::class_<ArrayName>(m, "ArrayName", "An Input or a Computation, for commands on its buffer.")
      .def(nb::init_implicit<const Input&>(), "array"_a)
      .def(nb::init_implicit<const Computation&>(), "array"_a);
  FunctionClass f(
      m, "Function",
      "A kernel in the making: definitions, and the commands on them. \"name\" is a C identifier\n"
      "(E0105).");
  f.def(
      "__init__", [](F* self, const std::string& name) { new (self) F(name, python_line()); },
      "name"_a);
  add_arguments(f);
  add_computations(f);
  add_scopes(m, f);
  add_limits(f);
  add_devices(f);
  add_history(f);
  add_code_generation(m, f);
  add_pages(f);
  add_automatic(m, f);
  add_tuning(m, f);
  f.def("__repr__", [](const F& self) { return "Function('" + self.name() + "')"; });
}

}  // namespace strata::python
