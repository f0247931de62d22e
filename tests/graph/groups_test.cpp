// Why groups are as they are.
#include "tests/graph/programs.h"

namespace strata::test::groups_test {

using namespace strata::graph;

const Param n("n"), m("m"), k("k");

Module program(const Values& parameters, const std::function<Value(GraphBuilder&)>& body) {
  return checked(one_block(parameters, body));
}

// dense, bias_add, gelu; and the sum of it over the columns, scaled
Module layer() {
  const Value x = variable("x", f32_tensor({n, k})), w = variable("w", f32_tensor({m, k})),
              bias = variable("bias", f32_tensor({m}));
  return program({x, w, bias}, [&](GraphBuilder& b) {
    const Value product = b.emit(call("dense", {x, w}));
    const Value added = b.emit(call("bias_add", {product, bias}));
    const Value total =
        b.emit(call("sum", {b.emit(call("gelu", {added}))}, attributes_in("axes=[1]")));
    return call("exp", {total});
  });
}

bool has_line(const std::string& text, const std::string& begin) {
  return ("\n" + text).find("\n" + begin) != std::string::npos;
}

TEST_CASE("each edge of a group says by which rule it is fused, or why not", "[graph]") {
  const std::vector<Group> groups = groups_of(layer());
  REQUIRE(groups.size() == 3);
  const std::string takes = "a product or window takes what is elementwise after it\n";
  const std::string only =
      "a product or window takes only what is elementwise after it, and that is reduction\n";
  CHECK(groups[0].edges ==
        "x -> %lv (dense): from outside\n"
        "w -> %lv (dense): from outside\n"
        "bias -> %lv1 (bias_add): from outside\n"
        "%lv (dense) -> %lv1 (bias_add): fused, " +
            takes + "%lv1 (bias_add) -> %lv2 (gelu): fused, " + takes +
            "%lv2 (gelu) -> %lv3 (sum): apart, " + only);
  CHECK(groups[1].edges == "%lv2 (gelu) -> %lv3 (sum): apart, " + only +
                               "%lv3 (sum) -> %gv (exp): apart, a reduction is not fused into what "
                               "reads it\n");
  CHECK(groups[2].edges ==
        "%lv3 (sum) -> %gv (exp): apart, a reduction is not fused into what "
        "reads it\n");
  const std::vector<Group> alone = groups_of(layer(), {.level = 0});
  REQUIRE(alone.size() == 5);
  CHECK(alone[1].edges ==
        "bias -> %lv1 (bias_add): from outside\n"
        "%lv (dense) -> %lv1 (bias_add): apart, level 0 fuses nothing\n"
        "%lv1 (bias_add) -> %lv2 (gelu): apart, level 0 fuses nothing\n");
}

TEST_CASE("a group says where its kernel computes each member", "[graph]") {
  const std::string why = groups_of(layer())[0].why();
  CAPTURE(why);
  CHECK(has_line(why, "@fused_dense_bias_add_gelu\n"));
  CHECK(has_line(why, "  kernel of dense, bias_add, gelu\n"));
  CHECK(has_line(why, "    scheduled by "));
  CHECK(has_line(why, "    bias_add: inlined\n"));
  CHECK(has_line(why, "    dense: product of gelu"));
}

// The heads of a part of the columns, as of the keys beside queries and values.
TEST_CASE("a kernel computes a view of a copy, and makes no copy", "[graph]") {
  const Value x = variable("x", f32_tensor({n, 24}));
  const auto heads = [&](GraphBuilder& b, const Value& y) {
    const Value part = b.emit(
        call("strided_slice", {y}, attributes_in("begin=[8], end=[16], strides=[1], axes=[1]")));
    const Value split = b.emit(call("reshape", {part}, attributes_in("shape=(n, 2, 4)")));
    return b.emit(call("transpose", {split}, attributes_in("axes=[1, 0, 2]")));
  };
  const Module module = program({x}, [&](GraphBuilder& b) { return call("exp", {heads(b, x)}); });
  const std::string why = groups_of(module)[0].why();
  CAPTURE(why);
  CHECK(has_line(why, "  kernel of strided_slice, reshape, transpose, exp\n"));
  CHECK_FALSE(has_line(why, "  reshape: a view\n"));
  const Module fused = fuse_ops()(module);
  for (const std::int64_t rows : {0, 1, 3}) {
    const NDArray given = counted({rows, 24}, 17);
    const NDArray made = *run(fused, "main", {given}).array();
    REQUIRE(made.extents() == std::vector<std::int64_t>{2, rows, 4});
    for (std::int64_t h = 0; h < 2; ++h)
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t d = 0; d < 4; ++d)
          CHECK(made.data<float>()[(h * rows + i) * 4 + d] ==
                Approx(std::exp(given.data<float>()[i * 24 + 8 + h * 4 + d])));
  }
}

TEST_CASE("a view of an argument, or a result, is a view", "[graph]") {
  const Value x = variable("x", f32_tensor({n, 24}));
  const auto why_of = [&](const std::function<Value(GraphBuilder&)>& body) {
    return groups_of(program({x}, body))[0].why();
  };
  const Attributes split = attributes_in("shape=(n, 6, 4)"),
                   other = attributes_in("axes=[1, 0, 2]");
  CHECK(has_line(why_of([&](GraphBuilder& b) {
                   return call("transpose", {b.emit(call("reshape", {x}, split))}, other);
                 }),
                 "  reshape: a view\n"));
  CHECK(has_line(why_of([&](GraphBuilder& b) {
                   const Value turned = b.emit(call("reverse", {x}, attributes_in("axes=[1]")));
                   return call("reshape", {turned}, split);
                 }),
                 "  reshape: a view\n"));
}

TEST_CASE("edges say what is in the way of fusion", "[graph]") {
  const Value x = variable("x", f32_tensor({n}));
  const auto last_edges = [&](const std::function<Value(GraphBuilder&)>& body) {
    return groups_of(program({x}, body)).back().edges;
  };
  CHECK(last_edges([&](GraphBuilder& b) { return call("relu", {b.emit(call("sort", {x}))}); }) ==
        "%lv (sort) -> %gv (relu): apart, it is opaque\n");
  within({.config = {{"FuseOps.max_depth", std::int64_t{1}}}}, [&] {
    CHECK(last_edges([&](GraphBuilder& b) { return call("relu", {b.emit(call("exp", {x}))}); }) ==
          "%lv (exp) -> %gv (relu): apart, a group of more than 1 nodes would be made\n");
  });
}

}  // namespace strata::test::groups_test
