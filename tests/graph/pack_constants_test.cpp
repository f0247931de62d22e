// PackConstants: which operands it packs, and that programs compute the same then.
#include "tests/graph/programs.h"

namespace strata::test::pack_constants_test {

using namespace strata::graph;

std::int64_t block() { return machine().product_tile(f32).columns; }

// y = callee(x, w, attributes) of a constant w, where x has rows of 3.
Module product_with(const std::string& callee, const std::vector<std::int64_t>& x_extents,
                    const std::vector<std::int64_t>& w_extents, const Attributes& attributes = {}) {
  GraphBuilder b;
  Shape shape;
  for (const std::int64_t extent : x_extents) shape.push_back(constant(i64, extent));
  shape[0] = Param("n");
  const graph::Value x = variable("x", f32_tensor(shape));
  const graph::Value w = counted(w_extents, 7);
  b.function("main", {x}, [&] {
    graph::Value y;
    b.dataflow([&] { y = b.emit_output(call(callee, {x, w}, attributes)); });
    b.emit_function_output(y);
  });
  return b.module();
}

// The layouts of the call after the pass, which changes no result and does nothing twice.
std::string layouts_of(const Module& module, const std::vector<std::int64_t>& x_extents) {
  const Module packed = checked(pack_constants()(module));
  CHECK(is_equal(packed, pack_constants()(packed)));
  const std::vector<VmValue> arguments{counted(x_extents, 5)};
  const NDArray expected = *run(module, "main", arguments, RunBy::interpreter).array();
  for (const RunBy by : {RunBy::interpreter, RunBy::kernels}) {
    const NDArray computed = *run(packed, "main", arguments, by).array();
    REQUIRE(computed.extents() == expected.extents());
    for (std::size_t p = 0; p < expected.size(); ++p)
      REQUIRE(computed.data<float>()[p] == Approx(expected.data<float>()[p]).epsilon(1e-5));
  }
  const Binding& last = packed.function("main")->body.blocks.back().bindings.back();
  return last.as<OperatorCall>()->layouts.text();
}

TEST_CASE("constants that all rows read are in panels of a tile's columns", "[graph]") {
  const std::int64_t c = block();
  const std::string width = std::to_string(c);
  CHECK(layouts_of(product_with("matmul", {0, 3}, {3, 2 * c}), {5, 3}) ==
        "(_, BA" + width + "b) -> ()");
  CHECK(layouts_of(product_with("dense", {0, 3}, {3 * c, 3}), {5, 3}) ==
        "(_, AB" + width + "a) -> ()");
  CHECK(layouts_of(product_with("matmul", {0, 4, 3}, {3, c}), {2, 4, 3}) ==
        "(_, BA" + width + "b) -> ()");
}

TEST_CASE("constants stay where panels do not help", "[graph]") {
  const std::int64_t c = block();
  CHECK(layouts_of(product_with("matmul", {0, 3}, {3, 5}), {5, 3}).empty());  // part of a vector
  CHECK(layouts_of(product_with("matmul", {0, 3}, {3}), {5, 3}).empty());     // no columns
  CHECK(layouts_of(product_with("add", {0, c}, {c}), {5, c}).empty());        // no sum
}

TEST_CASE("a constant is packed once, and a variable stays", "[graph]") {
  const std::int64_t c = block();
  GraphBuilder b;
  const graph::Value x = variable("x", f32_tensor({4, 3})), v = variable("v", f32_tensor({3, c}));
  const graph::Value w = counted({3, c}, 7);
  b.function("main", {x, v}, [&] {
    graph::Value y;
    b.dataflow([&] {
      const graph::Value one = b.emit(call("matmul", {x, w}));
      const graph::Value other = b.emit(call("matmul", {x, w}));
      const graph::Value last = b.emit(call("matmul", {x, v}));
      y = b.emit_output(call("add", {call("add", {one, other}), last}));
    });
    b.emit_function_output(y);
  });
  const Module packed = checked(pack_constants()(b.module()));
  const auto& bindings = packed.function("main")->body.blocks.back().bindings;
  const auto second = [&](std::size_t n) { return bindings[n].as<OperatorCall>()->arguments[1]; };
  CHECK(second(0) == second(1));
  CHECK(second(2) == packed.function("main")->parameters[1]);
}

}  // namespace strata::test::pack_constants_test
