// Constant extents that are parameters of kernels.
#include <cmath>
#include <random>

#include "tests/graph/programs.h"

namespace strata::test::parametric_test {

using namespace strata::graph;

// A function main of these parameters with one dataflow block, and its groups.
Module program(const Values& parameters, const std::function<Value(GraphBuilder&)>& body) {
  return checked(fuse_ops()(checked(one_block(parameters, body))));
}

const GraphFunction& only_group(const Module& module) {
  const GraphFunction* found = nullptr;
  for (const auto& [name, global] : module.globals()) {
    const GraphFunction* f = module.function(name);
    if (f && is_primitive(*f)) {
      REQUIRE(found == nullptr);
      found = f;
    }
  }
  REQUIRE(found);
  return *found;
}

// The shapes of the arguments of the group's kernel, and "->", and those of the results.
std::string extents(const Module& module) {
  const GraphFunction& group = only_group(module);
  const TensorKernel kernel = parametric_kernel_of(group, kernel_of(group));
  std::string text;
  for (const Tensor& t : kernel.inputs) text += text_of(t.shape());
  text += "->";
  for (const Tensor& t : kernel.outputs) text += text_of(t.shape());
  return text;
}

// One call of these extents.
std::string extents(const std::string& callee, const std::vector<Shape>& shapes,
                    const std::string& attributes = "") {
  Values arguments;
  for (const Shape& shape : shapes)
    arguments.push_back(variable("x" + std::to_string(arguments.size()), f32_tensor(shape)));
  return extents(program(arguments, [&](GraphBuilder&) {
    return attributes.empty() ? call(callee, arguments)
                              : call(callee, arguments, attributes_in(attributes));
  }));
}

std::int64_t compiled() { return kernel_counts().compiled; }

// The result of main by kernels, which the interpreter's has to be near.
NDArray judged(const Module& module, const std::vector<VmValue>& arguments,
               const RunOptions& options = {}) {
  const NDArray made = *run(module, "main", arguments, options).array();
  const NDArray wanted = *run(module, "main", arguments, RunBy::interpreter).array();
  REQUIRE(made.extents() == wanted.extents());
  for (std::size_t p = 0; p < wanted.size(); ++p)
    REQUIRE(made.data<float>()[p] == Approx(wanted.data<float>()[p]).epsilon(1e-4).margin(1e-4));
  return made;
}

// y(i, j) = f(sum_k x(i, k) w(j, k) + b(j)) of these extents
Module layer(const Expr& rows, const Expr& columns, const Expr& inner,
             const std::string& f = "gelu") {
  const Value x = variable("x", f32_tensor({rows, inner})),
              w = variable("w", f32_tensor({columns, inner})),
              bias = variable("bias", f32_tensor({columns}));
  return program({x, w, bias}, [&](GraphBuilder& b) {
    const Value product = b.emit(call("dense", {x, w}));
    return call(f, {b.emit(call("bias_add", {product, bias}))});
  });
}

std::vector<VmValue> of_layer(std::int64_t rows, std::int64_t columns, std::int64_t inner) {
  return {counted({rows, inner}, 5), counted({columns, inner}, 7), counted({columns}, 3)};
}

TEST_CASE("extents become parameters, and what operators require stays", "[graph]") {
  CHECK(extents("exp", {{20, 30}}) == "(d0, d1)->(d0, d1)");
  CHECK(extents("exp", {{30, 30}}) == "(d0, d1)->(d0, d1)");
  CHECK(extents("add", {{20, 30}, {20, 30}}) == "(d2, d3)(d2, d3)->(d2, d3)");
  CHECK(extents("add", {{20, 30}, {30}}) == "(d0, d2)(d2)->(d0, d2)");
  CHECK(extents("add", {{20, 1}, {20, 30}}) == "(d1, 1)(d1, d2)->(d1, d2)");
  CHECK(extents("dense", {{20, 30}, {30, 30}}) == "(d0, d3)(d2, d3)->(d0, d2)");
  CHECK(extents("matmul", {{2, 40, 50}, {50, 60}}) == "(2, d0, d2)(d2, d3)->(2, d0, d3)");
  CHECK(extents("concatenate", {{20, 17}, {30, 17}}, "") == "(d0, d3)(d2, d3)->(d0 + d2, d3)");
}

TEST_CASE("windows, blocks, divisors and small extents stay constant", "[graph]") {
  CHECK(extents("exp", {{16, 17}}) == "(16, d0)->(16, d0)");
  CHECK(extents("conv2d", {{1, 20, 30, 40}, {50, 20, 3, 3}}) ==
        "(1, d4, d1, d2)(d3, d4, 3, 3)->(1, d3, max(0, d1 - 2), max(0, d2 - 2))");
  CHECK(extents("conv1d", {{1, 20, 300}, {50, 20, 17}}) ==
        "(1, d3, d1)(d2, d3, 17)->(1, d2, max(0, d1 - 16))");
  CHECK(extents("conv2d", {{1, 32, 30, 40}, {32, 1, 3, 3}}, "groups=32") ==
        "(1, 32, 30, 40)(32, 1, 3, 3)->(1, 32, 28, 38)");
  CHECK(extents("tile", {{20, 30}}, "reps=[1, 2]") == "(20, 30)->(20, 60)");
  CHECK(extents("layout_transform", {{1, 32, 20, 20}}, "from=\"NCHW\", to=\"NCHW16c\"") ==
        "(1, 32, 20, 20)->(1, 2, 20, 20, 16)");
  CHECK(extents("strided_slice", {{40, 50}}, "begin=[20], end=[30], axes=[0]") ==
        "(40, d1)->(10, d1)");
}

TEST_CASE("layers of other sizes are one kernel", "[graph]") {
  const std::int64_t before = compiled();
  judged(layer(20, 24, 40), of_layer(20, 24, 40));
  CHECK(compiled() - before == 1);
  for (const auto& [rows, columns, inner] :
       {std::tuple{50, 24, 31}, {24, 24, 24}, {17, 100, 18}, {33, 65, 257}})
    judged(layer(rows, columns, inner), of_layer(rows, columns, inner));
  // The same kernel serves symbols, whatever their values.
  const Param n("n"), m("m"), k("k");
  const Module symbolic = layer(n, m, k);
  for (const auto& [rows, columns, inner] :
       {std::tuple{0, 3, 4}, {3, 0, 4}, {3, 4, 0}, {1, 1, 1}, {7, 5, 3}, {129, 65, 33}})
    judged(symbolic, of_layer(rows, columns, inner));
  CHECK(compiled() - before == 1);
  judged(layer(20, 16, 40), of_layer(20, 16, 40));  // 16 is a vector
  CHECK(compiled() - before == 2);
}

TEST_CASE("a group that is most of a program is a kernel of its own on request", "[graph]") {
  const auto added = [](const Expr& rows, std::int64_t columns, std::int64_t inner, double share) {
    const std::int64_t before = compiled();
    judged(layer(rows, columns, inner, "sigmoid"), of_layer(40, columns, inner),
           {.specialise = share});
    return compiled() - before;
  };
  CHECK(added(40, 24, 31, 1) == 1);
  CHECK(added(40, 25, 32, usual_share) == 1);
  CHECK(added(40, 26, 33, usual_share) == 1);
  CHECK(added(40, 26, 33, usual_share) == 0);
  CHECK(added(40, 27, 34, 1) == 0);
  // Of symbols there is one for all sizes.
  CHECK(added(Param("n"), 27, 34, usual_share) == 0);
}

}  // namespace strata::test::parametric_test
