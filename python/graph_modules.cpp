// Modules, their parts and their text.
#include <nanobind/stl/shared_ptr.h>

#include "graph/ir/verify.h"
#include "graph/text/equal.h"
#include "graph/text/parse.h"
#include "graph/text/print.h"
#include "python/bind.h"
#include "python/graph.h"
#include "python/graph_values.h"

namespace strata::python {

namespace {

using graph::Binding;
using graph::Block;
using graph::Body;
using graph::Global;
using graph::GraphFunction;
using graph::Module;
using graph::TensorKernel;

// A part of an object that "owner" keeps alive.
template <typename Part, typename Owner>
std::shared_ptr<Part> part_of(const std::shared_ptr<Owner>& owner, const Part& part) {
  return {owner, const_cast<Part*>(&part)};
}

template <typename T>
nb::dict globals_of(const Module& module) {
  nb::dict all;
  for (const auto& [name, global] : module.globals())
    if (const T* one = std::get_if<T>(global.get()))
      all[name.c_str()] = nb::cast(part_of(global, *one));
  return all;
}

Binding binding(const graph::Value& variable, nb::handle definition) {
  const graph::Value value = value_of(definition, "Binding: the definition");
  const auto* call = value.defined() ? value.node()->as<graph::Unbound>() : nullptr;
  auto bound =
      call ? call->definition : std::make_shared<const graph::Definition>(graph::Alias{value});
  return {variable, std::move(bound), python_line()};
}

void add_bindings(nb::module_& m) {
  nb::class_<Binding>(m, "Binding", "A variable, and what it is bound to.")
      .def(
          "__init__",
          [](Binding* self, const graph::Value& variable, nb::handle definition) {
            new (self) Binding(binding(variable, definition));
          },
          "variable"_a, "definition"_a.none(),
          "For the blocks that a dataflow pass makes. Operands of the definition, a call or a\n"
          "leaf, are leaves; the type of the variable stays.")
      .def_ro("value", &Binding::value, "The variable.")
      .def_prop_ro(
          "definition", [](const Binding& self) { return call_of(self.definition); },
          "A call, as one that has no variable yet.")
      .def_prop_ro(
          "bodies",
          [](const Binding& self) {
            std::vector<std::shared_ptr<Body>> bodies;
            if (const auto* branch = self.as<graph::Branch>())
              for (const auto& side : {branch->then, branch->otherwise})
                bodies.push_back(std::const_pointer_cast<Body>(side));
            return bodies;
          },
          "The two bodies of a branch; of others none.")
      .def_prop_ro(
          "line",
          [](const Binding& self) {
            const Where& where = self.where;
            return where.line;
          },
          "Of the author's program, where it is known.")
      .def("__repr__", [](const Binding& self) {
        return graph::text_of(self.value) + " = " + graph::text_of(call_of(self.definition));
      });
  nb::class_<Block>(m, "Block", "Bindings in their order.")
      .def(
          "__init__",
          [](Block* self, const std::vector<Binding>& bindings, bool is_dataflow) {
            new (self) Block{is_dataflow, bindings};
          },
          "bindings"_a, "is_dataflow"_a = true)
      .def_ro("is_dataflow", &Block::is_dataflow, "Is it pure?")
      .def_ro("bindings", &Block::bindings);
  nb::class_<Body>(m, "Body", "Blocks, and the leaf that is their result.")
      .def_prop_ro("blocks",
                   [](const std::shared_ptr<Body>& self) {
                     std::vector<std::shared_ptr<Block>> blocks;
                     for (const Block& block : self->blocks) blocks.push_back(part_of(self, block));
                     return blocks;
                   })
      .def_ro("result", &Body::result);
}

void add_globals(nb::module_& m) {
  nb::class_<GraphFunction>(m, "GraphFunction", "A function of a module.")
      .def_ro("name", &GraphFunction::name)
      .def_ro("parameters", &GraphFunction::parameters, "Variables.")
      .def_prop_ro(
          "body",
          [](const std::shared_ptr<GraphFunction>& self) { return part_of(self, self->body); })
      .def_ro("result_type", &GraphFunction::result)
      .def_prop_ro(
          "attributes",
          [](const GraphFunction& self) { return python_attributes(self.attributes); },
          nb::for_getter(nb::sig("def attributes(self) -> dict[str, Any]")))
      .def("__repr__", [](const GraphFunction& self) { return graph::text_of(self); });
  nb::class_<TensorKernel>(m, "TensorKernel",
                           "Tensors that are computed together, for arrays of all extents.")
      .def(
          "__init__",
          [](TensorKernel* self, const std::string& name, const std::vector<graph::Tensor>& inputs,
             const std::vector<graph::Tensor>& outputs) {
            new (self) TensorKernel(graph::tensor_kernel(name, inputs, outputs, python_line()));
          },
          "name"_a, "inputs"_a, "outputs"_a,
          "E0602 if an output depends on data that is not an input.")
      .def_ro("name", &TensorKernel::name)
      .def_ro("inputs", &TensorKernel::inputs, "Placeholders, in the order of the arguments.")
      .def_ro("outputs", &TensorKernel::outputs)
      .def_ro("integers", &TensorKernel::integers,
              "Symbols that no extent of an input is by itself.")
      .def("__repr__", [](const TensorKernel& self) {
        Module alone;
        alone.set(self);
        return graph::text_of(alone);
      });
}

Module parsed(const std::string& text, nb::handle constants) {
  std::vector<graph::NDArray> arrays;
  for (const nb::handle item : constants)
    arrays.push_back(array_of(item, "parse_module: a constant").copied());
  return graph::parse_module(text, arrays, python_line());
}

nb::list python_constants(const Module& module) {
  nb::list arrays;
  for (const graph::NDArray& array : graph::constants_of(module))
    arrays.append(python_array(array.copied()));
  return arrays;
}

}  // namespace

void add_graph_modules(nb::module_& m) {
  add_bindings(m);
  add_globals(m);
  nb::class_<Module>(
      m, "Module",
      "Graph functions and kernels by name. It never changes. Two are equal if they\n"
      "are so up to the names of variables and symbols.")
      .def(nb::init<>(), "An empty one.")
      .def_prop_ro("functions", &globals_of<GraphFunction>,
                   nb::for_getter(nb::sig("def functions(self) -> dict[str, GraphFunction]")),
                   "Graph functions by name.")
      .def_prop_ro("kernels", &globals_of<TensorKernel>,
                   nb::for_getter(nb::sig("def kernels(self) -> dict[str, TensorKernel]")),
                   "Kernels by name.")
      .def("__repr__", [](const Module& self) { return graph::text_of(self); })
      .def("__eq__",
           [](const Module& self, const Module& other) { return graph::is_equal(self, other); })
      .def("__eq__", [](const Module&, nb::handle) { return false; })
      .def("__hash__", [](const Module& self) {
        return std::hash<std::string>()(graph::canonical_text(self));
      });
  m.def("parse_module", &parsed, "text"_a, "constants"_a = nb::tuple(),
        nb::sig("def parse_module(text: str, constants: Sequence[object] = ()) -> Module"),
        "The module that a text describes; print(module) shows the same text for it. constants\n"
        "gives the arrays that the text names by their hashes only.\n"
        "Errors: E0604, with line and column, what cannot be read. Call verify for the rules.");
  m.def("constants_of", &python_constants, "module"_a,
        nb::sig("def constants_of(module: Module) -> list[Array]"),
        "Copies of the arrays const[0], const[1], .. of the text.");
  m.def(
      "verify", [](const Module& module) { graph::verify(module, python_line()); }, "module"_a,
      "E0601, with the rule, the function and the binding, if the module breaks one of W1 to W10.");
}

}  // namespace strata::python
