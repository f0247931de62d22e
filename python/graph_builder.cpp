// The parts of GraphBuilder. strata/graph/builder.py makes scopes of them.
#include "graph/builder/builder.h"

#include "python/bind.h"
#include "python/graph.h"
#include "python/graph_values.h"

namespace strata::python {

namespace {

using graph::Body;
using graph::GraphBuilder;
using graph::Tensor;
using graph::Value;
using graph::Values;
using TensorInputs = GraphBuilder::TensorInputs;

std::optional<Values> parameters_of(nb::handle given) {
  if (given.is_none()) return std::nullopt;
  return values_of(given, "the parameters");
}

std::vector<Tensor> outputs_of(nb::handle result, const std::string& name) {
  if (nb::isinstance<Tensor>(result)) return {nb::cast<Tensor>(result)};
  std::vector<Tensor> tensors;
  if (nb::try_cast(result, tensors) && !tensors.empty()) return tensors;
  throw Request{"emit_te", python_line()}.refused(
      Code::E0602_does_not_fit, name + " returns " + nb::cast<std::string>(nb::repr(result)),
      "return a Tensor, or a list of Tensors");
}

void add_scopes(nb::class_<GraphBuilder>& c) {
  c.def(
      "_begin_function",
      [](GraphBuilder& self, const std::string& name, nb::handle parameters) {
        self.begin_function(name, parameters_of(parameters), python_line());
      },
      "name"_a, "parameters"_a.none());
  c.def("_end_function", [](GraphBuilder& self) { self.end_function(python_line()); });
  c.def("_abandon_function", &GraphBuilder::abandon_function);
  c.def("_begin_dataflow", [](GraphBuilder& self) { self.begin_dataflow(python_line()); });
  c.def("_end_dataflow", [](GraphBuilder& self) { self.end_dataflow(python_line()); });
  c.def("_abandon_dataflow", &GraphBuilder::abandon_dataflow);
  c.def("_begin_branch", [](GraphBuilder& self) { self.begin_branch(python_line()); });
  c.def(
      "_end_branch",
      [](GraphBuilder& self, nb::handle result) {
        return self.end_branch(value_of(result, "the result of a branch"), python_line());
      },
      "result"_a.none());
  c.def("_abandon_branch", &GraphBuilder::abandon_branch);
  c.def(
      "_emit_branch",
      [](GraphBuilder& self, nb::handle condition, const Body& then, const Body& otherwise) {
        const Where where = python_line();
        graph::Branch branch{value_of(condition, "a condition"), std::make_shared<const Body>(then),
                             std::make_shared<const Body>(otherwise)};
        return self.emit(graph::unbound(std::move(branch), {}, where), where);
      },
      "condition"_a.none(), "then"_a, "otherwise"_a);
}

void add_emits(nb::class_<GraphBuilder>& c) {
  c.def(
      "emit",
      [](GraphBuilder& self, nb::handle value) {
        return self.emit(value_of(value, "emit"), python_line());
      },
      "value"_a.none(),
      "A variable bound to the value; calls in its operands get variables first. It is local in a\n"
      "dataflow block. Errors: E0602 and E0603 as the operators, E0601 (W5) an unknown callee.");
  c.def(
      "emit_output",
      [](GraphBuilder& self, nb::handle value) {
        return self.emit_output(value_of(value, "emit_output"), python_line());
      },
      "value"_a.none(), "In a dataflow block: a variable that is seen outside of it.");
  c.def(
      "match_shape",
      [](GraphBuilder& self, nb::handle value, nb::handle pattern) {
        return self.match_shape(value_of(value, "match_shape"), dims_of(pattern, "match_shape"),
                                python_line());
      },
      "value"_a.none(), "pattern"_a.none(),
      "The value, a tensor or a shape, whose extents become known as the dims of the pattern. A\n"
      "symbol that has no value yet gets one when the program runs; everything else is checked\n"
      "then: E0602.");
  c.def(
      "_emit_kernel",
      [](GraphBuilder& self, const std::string& name, const TensorInputs& inputs,
         nb::handle result) {
        return self.emit_kernel(name, inputs.tensors(), outputs_of(result, name), inputs.values(),
                                python_line());
      },
      "name"_a, "inputs"_a, "result"_a.none());
  c.def(
      "emit_function_output",
      [](GraphBuilder& self, nb::handle value, nb::handle parameters) {
        self.emit_function_output(value_of(value, "emit_function_output"),
                                  parameters_of(parameters), python_line());
      },
      "value"_a.none(), "parameters"_a.none() = nb::none(),
      "The result of the function, once, after all blocks; and its parameters, if function(..)\n"
      "has none. Errors: E0601.");
}

}  // namespace

void add_graph_builder(nb::module_& m) {
  nb::class_<TensorInputs>(m, "TensorInputs", "Tensors that stand for values.")
      .def("__init__", [](TensorInputs* self) { new (self) TensorInputs(python_line()); })
      .def("argument", [](TensorInputs& self, const Value& value) { return self.argument(value); });
  m.def(
      "refuse",
      [](Code code, const std::string& command, const std::string& explanation,
         const std::string& mend, int line) {
        Where where = python_line();
        if (line > 0) where.line = line;
        throw Request{command, where}.refused(code, explanation, mend);
      },
      "code"_a, "command"_a, "explanation"_a, "mend"_a = "", "line"_a = 0,
      nb::sig("def refuse(code: Code, command: str, explanation: str, mend: str = '', line: int = "
              "0) -> NoReturn"));
  nb::class_<GraphBuilder> c(m, "GraphBuilder");
  c.def(nb::init<graph::Module>(), "base"_a = graph::Module());
  add_scopes(c);
  add_emits(c);
  c.def(
      "declare",
      [](GraphBuilder& self, const std::string& name, nb::handle parameters,
         const graph::ValueType& result) {
        self.declare(name, values_of(parameters, "the parameters"), result, python_line());
      },
      "name"_a, "parameters"_a, "result"_a,
      "What a function takes and returns, for calls before it is built. E0601 the name is taken.");
  c.def(
      "add_kernel",
      [](GraphBuilder& self, const std::string& name, const std::vector<Tensor>& inputs,
         const std::vector<Tensor>& outputs) {
        return self.add_kernel(graph::tensor_kernel(name, inputs, outputs, python_line()));
      },
      "name"_a, "inputs"_a, "outputs"_a,
      "A kernel that computes the outputs from the inputs, placeholders, for call_kernel. Its "
      "name:\n"
      "that of an equal one if there is one, name1, .. if the name is taken. Errors: E0105 the "
      "name\n"
      "is not an identifier, E0602 an output depends on data that is not an input.");
  c.def(
      "lookup",
      [](const GraphBuilder& self, const Value& variable) -> std::optional<Value> {
        const auto definition = self.lookup(variable);
        if (!definition) return std::nullopt;
        return call_of(definition);
      },
      "variable"_a,
      "The call that the variable is bound to; None if this builder has not bound it.");
  c.def("module", &GraphBuilder::module, "What has been built.");
}

}  // namespace strata::python
