// E0602 and E0603: what does not fit in the operator graph.
#include <strata/graph.h>
#include <strata/strata.h>

#include "tests/error/told.h"

namespace strata::test::graph_test {

using namespace strata::graph;

template <typename Act>
std::string text_of(Act act, const Where& where = Where::here()) {
  return told_at(where, act);
}

TEST_CASE("E0602: the operator, the argument and both extents", "[error]") {
  const Param n("n"), m("m");
  const Tensor x = placeholder("x", f32, {n, 4}), w = placeholder("w", f32, {m, 5});
  CHECK(text_of([&] { dense(x, w); }) == R"(error E0602 does not fit
  in dense at HERE
  extent 1 of x is 4, and extent 1 of w is 5
  to fix it: give tensors whose extents agree
)");
  CHECK(text_of([&] { add(x, placeholder("y", f32, {m, 4})); }) == R"(error E0602 does not fit
  in add at HERE
  (n, 4) and (m, 4) cannot be broadcast: extent -2 is n and m
  to fix it: give equal extents, or 1
)");
  CHECK(text_of([&] { add(x, placeholder("y", f64, {4})); }) == R"(error E0602 does not fit
  in add at HERE
  x is of type float32, and y of type float64
  to fix it: cast one of them
)");
}

TEST_CASE("E0602: the state and the bias of a cell", "[error]") {
  const Param b("b");
  const auto tensor = [](const char* name, const Shape& shape, Type type = f32) {
    return placeholder(name, type, shape);
  };
  const Tensor x = tensor("x", {b, 3}), h = tensor("h", {b, 2}), c = tensor("c", {b, 2});
  const Tensor w = tensor("w", {8, 3}), r = tensor("r", {8, 2}), bias = tensor("bias", {8});
  CHECK(text_of([&] { lstm_cell(x, h, tensor("c", {b, 3}), w, r, bias); }) ==
        R"(error E0602 does not fit
  in lstm_cell at HERE
  extent 1 of h is 2, and extent 1 of c is 3
  to fix it: give tensors whose extents agree
)");
  CHECK(text_of([&] { lstm_cell(x, h, c, w, r, tensor("bias", {6})); }) ==
        R"(error E0602 does not fit
  in lstm_cell at HERE
  extent 0 of w is 8, and extent 0 of bias is 6
  to fix it: give tensors whose extents agree
)");
  CHECK(text_of([&] { lstm_cell(x, h, c, w, r, tensor("bias", {8}, f64)); }) ==
        R"(error E0602 does not fit
  in lstm_cell at HERE
  w is of type float32, and bias of type float64
  to fix it: cast one of them
)");
  const Tensor w3 = tensor("w", {6, 3}), r3 = tensor("r", {6, 2}), bias3 = tensor("bias", {6});
  CHECK(text_of([&] { gru_cell(x, h, w3, r3, bias3, tensor("rb", {2, 6})); }) ==
        R"(error E0602 does not fit
  in gru_cell at HERE
  recurrent_bias has the shape (2, 6), and 1 dimensions are needed
)");
}

TEST_CASE("E0602: arrays that do not fit their tensors", "[error]") {
  const Param n("n");
  const Tensor x = placeholder("x", f32, {n}), y = placeholder("y", f32, {n});
  const CompiledTensors f = graph::compile({add(x, y)});
  const NDArray two(strata_float(32), {2}), three(strata_float(32), {3});
  CHECK(text_of([&] { f({two, three}); }) == R"(error E0602 does not fit
  in a call of compiled tensors at HERE
  extent 0 of y is 3, and n is 2
  to fix it: give arrays whose extents agree
)");
}

TEST_CASE("E0603: the nearest name", "[error]") {
  CHECK(text_of([&] { find_operator("sofmax"); }) == R"(error E0603 unknown operator
  in find_operator(sofmax) at HERE
  there is no operator sofmax
  to fix it: write softmax
)");
  const Tensor x = placeholder("x", f32, {4});
  Attributes attributes;
  attributes.set("axes", std::int64_t{0});
  CHECK(text_of([&] { find_operator("softmax")({x}, attributes); }) ==
        R"(error E0603 unknown operator
  in softmax at HERE
  there is no attribute axes
  to fix it: write axis
)");
}

TEST_CASE("E0601: the rule, the function and the binding", "[error]") {
  const graph::Value x = variable("x", ValueType::tensor(Shape{4}, f32));
  const graph::Value y = variable("y", ValueType::tensor(Shape{4}, f32));
  const auto definition = std::make_shared<const graph::Definition>(OperatorCall{"exp", {y}});
  const Where line = Where::here();
  Module module;
  module.set(GraphFunction{"main", {x}, {{{false, {{y, definition, line}}}}, y}, y.type()});
  CHECK(text_of([&] { verify(module); }, line) == R"(error E0601 malformed graph
  in verify(@main) at HERE
  W1, at %y: %y is not bound before
)");
  GraphBuilder b;
  CHECK(text_of([&] { b.function("main", {x}, [] {}); }) == R"(error E0601 malformed graph
  in building @main at HERE
  it has no output
  to fix it: call emit_function_output
)");
}

TEST_CASE("E0604: line and column", "[error]") {
  CHECK(text_of([&] { parse_module("def @main() -> Shape {\n  %x = exp(%y)\n  %x\n}"); }) ==
        R"(error E0604 unreadable program
  in parse_module at HERE
  line 2, column 12: there is no variable %y here
)");
}

TEST_CASE("E0605 and E0606: a pass that breaks its contract, and a context", "[error]") {
  const graph::Value x = variable("x", ValueType::tensor(Shape{4}, f32));
  GraphBuilder b;
  b.function("main", {x}, [&] {
    graph::Value y;
    b.dataflow([&] { y = b.emit_output(graph::call("exp", {x})); });
    b.emit_function_output(y);
  });
  const Pass empty =
      dataflow_pass({"empty", 0, {}}, [](const graph::Block&, const Module&, const PassContext&) {
        return graph::Block{true, {}};
      });
  CHECK(text_of([&] { empty(b.module()); }) == R"(error E0605 pass broke contract
  in empty at HERE
  a dataflow block has other outputs
)");
  PassContext context;
  context.config = {{"FuseOps.max_depth", std::string("10")}};
  CHECK(text_of([&] { within(context, [] {}); }) == R"(error E0606 bad context
  in PassContext at HERE
  FuseOps.max_depth is an integer, and a text is given
  to fix it: give an integer
)");
}

TEST_CASE("E0605 and E0606: alterations of layouts", "[error]") {
  const graph::Value x = variable("x", ValueType::tensor(Shape{1, 4, 6, 6}, f32));
  const Where line = Where::here();
  GraphBuilder b;
  b.function("main", {x}, [&] {
    graph::Value y;
    b.dataflow([&] { y = b.emit_output(graph::call("relu", {x}), line); });
    b.emit_function_output(y);
  });
  const auto told = [&](const WantedLayouts& layouts) {
    const Alteration wants{"relu", [&](const OperatorCall&, const ValueType&) { return layouts; }};
    return text_of([&] { alter_op_layout({wants})(b.module()); }, line);
  };
  CHECK(told({{"NCHW4"}, {}}) == R"(error E0605 pass broke contract
  in AlterOpLayout(relu) at HERE
  the alteration wants NCHW4 for argument 0: "NCHW4" is not a layout: an axis is missing at the end
  to fix it: return a layout with an axis for each dimension, or nothing
)");
  CHECK(told({{}, {"NCW4c"}}) == R"(error E0605 pass broke contract
  in AlterOpLayout(relu) at HERE
  the alteration wants NCW4c for result 0: it is Tensor[(1, 4, 6, 6), float32]
  to fix it: return a layout with an axis for each dimension, or nothing
)");
  CHECK(told({{"", "NCHW4c"}, {}}) == R"(error E0605 pass broke contract
  in AlterOpLayout(relu) at HERE
  the alteration wants NCHW4c for argument 1: there is none
  to fix it: return a layout with an axis for each dimension, or nothing
)");
  const Alteration nothing{
      "relu", [](const OperatorCall&, const ValueType&) { return std::optional<WantedLayouts>(); }};
  CHECK(text_of([&] { alter_op_layout({nothing, nothing}); }) == R"(error E0606 bad context
  in AlterOpLayout(relu) at HERE
  two alterations have level 10
  to fix it: give each a level of its own
)");
  CHECK(text_of([&] { alter_op_layout({{"relu", nullptr}}); }) == R"(error E0606 bad context
  in AlterOpLayout(relu) at HERE
  the alteration has no function
  to fix it: give one
)");
  CHECK(text_of([&] { alter_op_layout({{"rely", nothing.wanted}}); }) ==
        R"(error E0603 unknown operator
  in find_operator(rely) at HERE
  there is no operator rely
  to fix it: write relu
)");
}

}  // namespace strata::test::graph_test
