// ChooseLayouts: which layouts calls get, and that programs compute the same then.
#include <fmt/format.h>

#include <random>

#include "tests/graph/programs.h"

namespace strata::test::choose_layouts_test {

using namespace strata::graph;
using Extents = std::vector<std::int64_t>;

std::int64_t block() { return machine().product_tile(f32).columns; }

Shape shape_of_extents(const Extents& extents) {
  Shape shape;
  for (const std::int64_t extent : extents) shape.push_back(constant(i64, extent));
  return shape;
}

// A function of x with one dataflow block.
Module function_of(const Shape& x_shape,
                   const std::function<graph::Value(GraphBuilder&, const graph::Value&)>& make) {
  GraphBuilder b;
  const graph::Value x = variable("x", f32_tensor(x_shape));
  b.function("main", {x}, [&] {
    graph::Value y;
    b.dataflow([&] { y = b.emit_output(make(b, x)); });
    b.emit_function_output(y);
  });
  return b.module();
}

// The module after the pass, which changes no result, and does nothing twice.
Module chosen(const Module& module, const Extents& x_extents,
              const std::vector<RunBy>& judges = {RunBy::interpreter, RunBy::kernels}) {
  const Module made = checked(choose_layouts()(module));
  CHECK(is_equal(made, choose_layouts()(made)));
  const Module folded = checked(fold_constant()(made));
  CHECK(is_equal(folded, choose_layouts()(folded)));
  const std::vector<VmValue> arguments{counted(x_extents, 5)};
  const VmValue expected = run(module, "main", arguments, RunBy::interpreter);
  for (const RunBy by : judges) CHECK(is_close(run(folded, "main", arguments, by), expected));
  return folded;
}

std::string main_text(const Module& module) { return text_of(*module.function("main")); }

// The layouts of the calls of an operator, in order.
std::vector<std::string> layouts_of(const Module& module, const std::string& callee) {
  std::vector<std::string> all;
  for (const Block& block : module.function("main")->body.blocks)
    for (const Binding& b : block.bindings)
      if (const auto* call = b.as<OperatorCall>(); call && call->callee == callee)
        all.push_back(call->layouts.text());
  return all;
}

std::size_t transforms_in(const Module& module) {
  return layouts_of(module, "layout_transform").size();
}

// ---- products of matrices ----

// The layouts of  callee(x, w, attributes)  of a constant w, where x has n rows.
std::string of_product(const std::string& callee, const Extents& x, const Extents& w,
                       const std::string& attributes = "") {
  Shape shape = shape_of_extents(x);
  shape[0] = Param("n");
  const auto notes = attributes.empty() ? Attributes() : attributes_in(attributes);
  const Module module = function_of(shape, [&](GraphBuilder&, const graph::Value& v) {
    return call(callee, {v, counted(w, 7)}, notes);
  });
  return layouts_of(chosen(module, x), callee).at(0);
}

TEST_CASE("constants that all rows read are in panels of a tile's columns", "[graph]") {
  const std::int64_t c = block();
  const std::string width = std::to_string(c);
  CHECK(of_product("matmul", {5, 3}, {3, 2 * c}) == "(_, BA" + width + "b) -> ()");
  CHECK(of_product("dense", {5, 3}, {3 * c, 3}) == "(_, AB" + width + "a) -> ()");
  CHECK(of_product("matmul", {2, 4, 3}, {3, c}) == "(_, BA" + width + "b) -> ()");
  CHECK(of_product("einsum", {5, 3, 2}, {3, c, 2}, "equation=\"iab,ajb->ij\"") ==
        "(_, BAE" + width + "b) -> ()");
}

TEST_CASE("constants stay where panels do not help", "[graph]") {
  const std::int64_t c = block();
  CHECK(of_product("matmul", {5, 3}, {3, 5}).empty());  // part of a vector
  CHECK(of_product("matmul", {5, 3}, {3}).empty());     // no columns
  CHECK(of_product("add", {5, c}, {c}).empty());        // no sum
}

TEST_CASE("a constant is packed once, and a variable stays", "[graph]") {
  const std::int64_t c = block();
  const graph::Value w = counted({3, c}, 7);
  const Module module = function_of({3, 3}, [&](GraphBuilder& b, const graph::Value& x) {
    const graph::Value one = b.emit(call("matmul", {x, w}));
    return call("add", {call("matmul", {x, w}), call("add", {one, call("matmul", {x, one})})});
  });
  const Module packed = chosen(module, {3, 3});
  CHECK(layouts_of(packed, "matmul").at(0) == layouts_of(packed, "matmul").at(1));
  CHECK(layouts_of(packed, "matmul").at(2).empty());
  const auto& bindings = packed.function("main")->body.blocks.back().bindings;
  CHECK(bindings[0].as<OperatorCall>()->arguments[1] ==
        bindings[1].as<OperatorCall>()->arguments[1]);
}

// ---- windows ----

graph::Value conv(const graph::Value& x, const Extents& w, const std::string& attributes) {
  return call("conv2d", {x, counted(w, 7)}, attributes_in(attributes));
}

graph::Value normalized(const graph::Value& x, std::int64_t channels) {
  const auto constant = [&](int modulus) { return graph::Value(counted({channels}, modulus)); };
  const graph::Value variance = call("abs", {constant(9)});
  return call("batch_norm", {x, constant(5), constant(3), constant(7), variance});
}

TEST_CASE("a residual network has one transform at each end", "[graph]") {
  const Module module = function_of(shape_of_extents({2, 3, 15, 14}), [&](GraphBuilder& b,
                                                                          const graph::Value& x) {
    const graph::Value stem = b.emit(call(
        "max_pool2d", {call("relu", {normalized(conv(x, {16, 3, 3, 3}, "padding=[1, 1]"), 16)})},
        attributes_in("window=[3, 3], strides=[2, 2], padding=[1, 1]")));
    const graph::Value inner = call(
        "relu", {normalized(conv(stem, {32, 16, 3, 3}, "strides=[2, 2], padding=[1, 1]"), 32)});
    const graph::Value way = conv(inner, {32, 32, 3, 3}, "padding=[2, 2], dilation=[2, 2]");
    const graph::Value side = conv(stem, {32, 16, 1, 1}, "strides=[2, 2]");
    const graph::Value last = call("relu", {call("add", {normalized(way, 32), side})});
    const graph::Value mean = call("global_avg_pool2d", {last});
    return call("dense",
                {call("reshape", {mean}, attributes_in("shape=(2, 32)")), counted({10, 32}, 7)});
  });
  const Module made = chosen(module, {2, 3, 15, 14});
  INFO(main_text(made));
  CHECK(transforms_in(made) == 2);
  for (const std::string& layouts : layouts_of(made, "conv2d"))
    CHECK(layouts.find("-> (NHWC)") != std::string::npos);
  CHECK(layouts_of(made, "batch_norm").at(0) == "(NHWC, _, _, _, _) -> (NHWC)");
  CHECK(layouts_of(made, "add").at(0) == "(NHWC, NHWC) -> (NHWC)");
  CHECK(main_text(made).rfind("layout_transform") > main_text(made).rfind("global_avg_pool2d"));
}

TEST_CASE("windows of any sizes compute the same with channels innermost", "[graph]") {
  std::mt19937 draw(20);
  const auto one_of = [&](const Extents& choices) { return choices[draw() % choices.size()]; };
  int with_layouts = 0;
  for (int round = 0; round < 18; ++round) {
    const std::int64_t groups = round % 6 == 5 ? 3 : 1, in = groups * one_of({1, 3, 17, 64});
    const std::int64_t out = groups * one_of({1, 3, 17, 64}), h = one_of({1, 7, 14, 15});
    const std::int64_t w = one_of({1, 7, 14, 15}), k = one_of({1, 3});
    const std::string attributes =
        fmt::format("strides=[{}, {}], padding=[{}, {}, {}, {}], dilation=[{}, 1], groups={}",
                    one_of({1, 2}), one_of({1, 3}), k / 2, one_of({0, 1}) + k / 2, k / 2, k / 2,
                    one_of({1, k == 1 ? 1 : 2}), groups);
    INFO(in << " -> " << out << ", " << h << " x " << w << ", window " << k << ", " << attributes);
    Module module;
    try {
      module =
          function_of(shape_of_extents({1, in, h, w}), [&](GraphBuilder&, const graph::Value& x) {
            return call("relu", {conv(x, {out, in / groups, k, k}, attributes)});
          });
    } catch (const Error&) {
      continue;  // a window larger than x
    }
    std::vector<RunBy> judges{RunBy::interpreter};
    if (round % 6 == 0) judges.push_back(RunBy::kernels);
    with_layouts += transforms_in(chosen(module, {1, in, h, w}, judges)) > 0;
  }
  CHECK(with_layouts >= 4);
}

TEST_CASE("depthwise convolutions stay alone, and go along in a chain", "[graph]") {
  const auto depthwise = [](const graph::Value& x) {
    return conv(x, {16, 1, 3, 3}, "padding=[1, 1], groups=16");
  };
  const Shape shape = shape_of_extents({1, 16, 9, 9});
  const Module alone =
      function_of(shape, [&](GraphBuilder&, const graph::Value& x) { return depthwise(x); });
  CHECK(transforms_in(chosen(alone, {1, 16, 9, 9})) == 0);
  const Module chain = function_of(shape, [&](GraphBuilder&, const graph::Value& x) {
    return conv(depthwise(conv(x, {16, 16, 3, 3}, "")), {16, 16, 3, 3}, "");
  });
  const Module made = chosen(chain, {1, 16, 9, 9});
  CHECK(transforms_in(made) == 2);
  CHECK(layouts_of(made, "conv2d").at(1) == "(NHWC, IHWO) -> (NHWC)");
}

TEST_CASE("transforms that move more than kernels save are not inserted", "[graph]") {
  // One multiplication for each element.
  const Module small =
      function_of(shape_of_extents({1, 1, 32, 32}),
                  [](GraphBuilder&, const graph::Value& x) { return conv(x, {16, 1, 1, 1}, ""); });
  CHECK(transforms_in(chosen(small, {1, 1, 32, 32})) == 0);
  // A packed tensor meets one that is larger.
  const Module gate =
      function_of(shape_of_extents({1, 16, 32, 32}), [](GraphBuilder&, const graph::Value& x) {
        const graph::Value mean = call("global_avg_pool2d", {x});
        return call("multiply", {x, conv(conv(mean, {64, 16, 1, 1}, ""), {16, 64, 1, 1}, "")});
      });
  const Module made = chosen(gate, {1, 16, 32, 32});
  CHECK(layouts_of(made, "multiply").at(0).empty());
}

TEST_CASE("readers that do not bear a layout get the tensor as it was", "[graph]") {
  const Module module =
      function_of(shape_of_extents({1, 16, 9, 9}), [](GraphBuilder& b, const graph::Value& x) {
        const graph::Value y = b.emit(conv(x, {16, 16, 3, 3}, ""));
        return call("reshape", {call("softmax", {y}, attributes_in("axis=1"))},
                    attributes_in("shape=(1, 784)"));
      });
  const Module made = chosen(module, {1, 16, 9, 9});
  CHECK(layouts_of(made, "softmax").at(0).empty());
  CHECK(transforms_in(made) == 2);
}

TEST_CASE("primitive functions stay as they are", "[graph]") {
  const Module module = fuse_ops()(function_of(
      shape_of_extents({1, 16, 9, 9}),
      [](GraphBuilder&, const graph::Value& x) { return conv(x, {16, 16, 3, 3}, ""); }));
  CHECK(is_equal(choose_layouts()(module), module));
}

TEST_CASE("build chooses layouts", "[graph]") {
  const Module module =
      function_of(shape_of_extents({1, 16, 9, 9}), [](GraphBuilder&, const graph::Value& x) {
        return call("relu", {conv(x, {16, 16, 3, 3}, "padding=[1, 1]")});
      });
  built(module, "main", {counted({1, 16, 9, 9}, 5)});
  CHECK(text_of(build(module, {RunBy::interpreter}).lowered).find("NHWC") != std::string::npos);
}

}  // namespace strata::test::choose_layouts_test
