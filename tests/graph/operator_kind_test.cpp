// Fusion kinds, from relations alone.
#include "tests/graph/programs.h"

namespace strata::test::operator_kind_test {

using namespace strata::graph;
using K = FusionKind;

const Param n("n"), m("m"), k("k"), h("h"), w("w");

Tensor a1() { return placeholder("a", f32, {n}); }
Tensor a2() { return placeholder("a", f32, {n, m}); }
Tensor b2() { return placeholder("b", f32, {n, m}); }

struct Row {
  std::string name;
  std::vector<Tensor> inputs, outputs;
  K kind;
};

K kind_of(const Row& row) { return operator_kind(row.outputs, row.inputs).kind; }

Row row(const std::string& name, const std::vector<Tensor>& inputs,
        const std::vector<Tensor>& outputs, K kind) {
  return {name, inputs, outputs, kind};
}

std::vector<Row> elementwise_rows() {
  const Tensor a = a2(), b = b2(), bias = placeholder("bias", f32, {m}), x = a1(),
               y = placeholder("y", f32, {m}), one = placeholder("one", f32, {n, 1}),
               other = placeholder("other", f32, {n, 1});
  return {row("add", {a, b}, {add(a, b)}, K::elementwise),
          row("exp", {a}, {graph::exp(a)}, K::elementwise),
          row("gelu", {a}, {gelu(a)}, K::elementwise),
          row("cast", {a}, {graph::cast(a, {f64})}, K::elementwise),
          row("where", {a, b}, {graph::where(greater(a, b), a, b)}, K::elementwise),
          row("tril", {a}, {tril(a, {})}, K::elementwise),
          row("add of extent 1", {one, other}, {add(one, other)}, K::elementwise),
          row("bias_add", {a, bias}, {bias_add(a, bias, {})}, K::broadcast),
          row("add (n, 1)", {a, one}, {add(a, one)}, K::broadcast),
          row("outer product", {x, y},
              {compute({n, m}, [&](Expr i, Expr j) { return x(i) * y(j); })}, K::broadcast),
          row("B[i, j, k, l] = A[j, l]", {a},
              {compute({k, n, h, m}, [&](Expr, Expr j, Expr, Expr l) { return a(j, l); })},
              K::broadcast)};
}

std::vector<Row> injective_rows() {
  const Tensor a = a2(), b = b2(), x = a1(), index = placeholder("index", i64, {k});
  const Tensor four = placeholder("four", f32, {n, 4}),
               image = placeholder("i", f32, {1, 64, h, w});
  const Tensor square = placeholder("square", f32, {n, n});
  return {
      row("transpose", {a}, {transpose(a, {})}, K::injective),
      row("reverse", {a}, {reverse(a, {{1}})}, K::injective),
      row("strided_slice", {x}, {strided_slice(x, {{1}, {-1}, {2}, {0}})}, K::injective),
      row("concatenate", {a, b}, {concatenate({a, b}, {0})}, K::injective),
      row("stack", {a, b}, {graph::stack({a, b}, {0})}, K::injective),
      row("upsample", {x}, {compute({2 * n}, [&](Expr i) { return x(i / 2); })}, K::injective),
      row("pad", {x}, {pad(x, {{1}, {1}})}, K::injective),
      row("tile", {a}, {graph::tile(a, {{2, 3}})}, K::injective),
      row("reshape", {four}, {reshape(four, {Shape{4 * n}})}, K::injective),
      row("reshape by symbols", {a}, {reshape(a, {Shape{m * n}})}, K::injective),
      row("diagonal", {square}, {compute({n}, [&](Expr i) { return square(i, i); })}, K::injective),
      row("take", {a, index}, {take(a, index, {0})}, K::injective),
      row("layout_transform", {image}, {layout_transform(image, {"NCHW", "NCHW16c"})},
          K::injective)};
}

std::vector<Row> reduction_rows() {
  const Tensor a = a2(), square = placeholder("square", f32, {n, n});
  return {row("sum", {a}, {graph::sum(a, {{1}})}, K::reduction),
          row("sum of squares", {a}, {[&] {
                const Axis j = reduce_axis(m, "j");
                return compute({n}, [&](Expr i) { return strata::sum(j, a(i, j) * a(i, j)); });
              }()},
              K::reduction),
          row("sum over rows", {a}, {graph::sum(a, {{0}})}, K::reduction),
          row("sum of all", {a}, {graph::sum(a, {})}, K::reduction),
          row("sum that keeps its dims", {a}, {graph::sum(a, {{1}, true})}, K::reduction),
          row("max of all that keeps its dims", {a}, {graph::max(a, {{}, true})}, K::reduction),
          row("mean", {a}, {graph::mean(a, {{1}})}, K::reduction),
          row("mean that keeps its dims", {a}, {graph::mean(a, {{1}, true})}, K::reduction),
          row("max", {a}, {graph::max(a, {{-1}})}, K::reduction),
          row("argmax", {a}, {graph::argmax(a, {1})}, K::reduction),
          row("trace", {square}, {[&] {
                const Axis j = reduce_axis(n, "j");
                return compute({}, [&] { return strata::sum(j, square(j, j)); });
              }()},
              K::reduction)};
}

std::vector<Row> anchor_rows() {
  const Tensor a = a2(), b = placeholder("b", f32, {m, k}), x = a1();
  const Tensor row1 = placeholder("r", f32, {1, k}), column = placeholder("c", f32, {k, 1});
  const Tensor image = placeholder("i", f32, {1, 8, h, w}),
               weight = placeholder("w", f32, {4, 8, 3, 3});
  const Tensor depth = placeholder("d", f32, {8, 1, 3, 3}), gamma = placeholder("g", f32, {m});
  const Tensor beta = placeholder("beta", f32, {m});
  ConvAttributes grouped;
  grouped.groups = 8;
  return {
      row("matmul", {a, b}, {matmul(a, b)}, K::out_elementwise_fusable),
      row("matmul of a row and a column", {row1, column}, {matmul(row1, column)},
          K::out_elementwise_fusable),
      row("conv2d", {image, weight}, {conv2d(image, weight, {})}, K::out_elementwise_fusable),
      row("depthwise conv2d", {image, depth}, {conv2d(image, depth, grouped)},
          K::out_elementwise_fusable),
      row("max_pool2d", {image}, {max_pool2d(image, {{2, 2}, {2, 2}, {0, 0}})},
          K::out_elementwise_fusable),
      row("stencil", {x}, {compute({n - 2}, [&](Expr i) { return x(i) + x(i + 1) + x(i + 2); })},
          K::out_elementwise_fusable),
      row("a(i) + a(n - 1 - i)", {x}, {compute({n}, [&](Expr i) { return x(i) + x(n - 1 - i); })},
          K::out_elementwise_fusable),
      row("cumsum", {x}, {cumsum(x, {})}, K::out_elementwise_fusable),
      row("softmax", {a}, {softmax(a, {})}, K::out_elementwise_fusable),
      row("layer_norm", {a, gamma, beta}, {layer_norm(a, gamma, beta, {})},
          K::out_elementwise_fusable),
      row("logsumexp", {a}, {graph::logsumexp(a, {{1}})}, K::out_elementwise_fusable)};
}

TEST_CASE("the kind of an operator follows from its relations", "[graph]") {
  for (const auto& rows : {elementwise_rows(), injective_rows(), reduction_rows(), anchor_rows()})
    for (const Row& row : rows) {
      INFO(row.name);
      CHECK(to_string(kind_of(row)) == to_string(row.kind));
    }
  const Tensor a = a1();
  CHECK(kind_of(row("sort", {a}, {sort(a, {})}, K::opaque)) == K::opaque);
  CHECK(kind_of(row("unique", {a}, {unique(a, {})}, K::opaque)) == K::opaque);
}

TEST_CASE("each argument has a kind of its own", "[graph]") {
  const Tensor a = a2(), bias = placeholder("bias", f32, {m}), x = placeholder("x", f32, {m});
  CHECK(operator_kind({bias_add(a, bias, {})}, {a, bias}).edges ==
        std::vector{K::elementwise, K::broadcast});
  const Axis j = reduce_axis(m, "j");
  const Tensor product = compute({n}, [&](Expr i) { return strata::sum(j, a(i, j) * x(j)); });
  CHECK(operator_kind({product}, {a, x}).edges ==
        std::vector{K::reduction, K::out_elementwise_fusable});
}

}  // namespace strata::test::operator_kind_test
