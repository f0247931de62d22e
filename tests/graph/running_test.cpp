// Running reductions are recurrences, which compute the same.
#include <catch2/catch.hpp>

#include <strata/graph.h>

#include "graph/compile/running.h"

namespace strata::test::running_test {

using namespace strata::graph;

const Param n("n"), m("m");

bool is_running(const Tensor& t) { return find_recurrence(t.shared_op()).has_value(); }

using Extents = std::vector<std::int64_t>;

NDArray numbers(const Extents& extents) {
  NDArray in(strata_float(32), extents);
  for (std::size_t k = 0; k < in.size(); ++k)
    in.data<float>()[k] = 0.1f * float(int(k * 7 % 31) - 15);
  return in;
}

// The elements of an exact kernel are those of the interpreter, which computes each reduction from
// its start.
void check(const Tensor& t, const std::vector<Extents>& all) {
  const Tensor x = placeholders_of({t})[0];
  TensorFunction f = create_function("running", {x, t});
  CodegenOptions exact;
  exact.floats = Floats::exact;
  const JitFunction kernel = f.function.jit(f.arguments, exact);
  for (const Extents& extents : all) {
    const SymbolValues symbols{{"n", extents[0]}, {"c", extents[1]}, {"m", 3}};
    std::vector<std::int64_t> parameters;
    for (const auto& [name, dim] : f.parameters) parameters.push_back(*value_of(dim, symbols));
    const NDArray in = numbers(extents), out(strata_float(32), extents);
    REQUIRE(kernel(parameters, {in, out}) == 0);
    const NDArray wanted = evaluate({t}, {{x, in}}, symbols)[0];
    for (std::size_t k = 0; k < out.size(); ++k)
      CHECK(out.data<float>()[k] == wanted.data<float>()[k]);
  }
}

const std::vector<Extents> sizes{{0, 3}, {3, 0}, {1, 1}, {1, 5}, {2, 33}, {7, 5}, {33, 2}};

TEST_CASE("running sums, products and extremes are recurrences, bit for bit", "[graph]") {
  const Tensor x = placeholder("x", f32, {n, Param("c")});
  const auto running = [&](const auto& reduced, int axis, const Expr& first, int count) {
    return compute(
        x.shape(),
        [&](const Indices& i) {
          const Axis k = reduce_axis(first, first + i[axis] + count, "k");
          return reduced(k, x(i.with(axis, k - first)) * 1.5f);
        },
        "running");
  };
  const auto sums = [](const Axis& k, const Expr& e) { return sum(k, e); };
  const auto products = [](const Axis& k, const Expr& e) { return product(k, e); };
  const auto largest = [](const Axis& k, const Expr& e) { return maximum(k, e); };
  for (const int axis : {0, 1})
    for (const int count : {0, 1}) {
      for (const Expr& first : {Expr(std::int64_t{0}), Expr(std::int64_t{-2}), m + 1}) {
        const Tensor t = running(sums, axis, first, count);
        CHECK(is_running(t));
        check(t, sizes);
      }
      const Tensor p = running(products, axis, 0, count), l = running(largest, axis, 0, count);
      CHECK(is_running(p));
      CHECK(is_running(l));
      check(p, sizes);
      check(l, sizes);
    }
}

TEST_CASE("what only looks like a running reduction is none", "[graph]") {
  const Tensor x = placeholder("x", f32, {n, Param("c")});
  const auto made = [&](const std::function<Expr(const Indices&, const Axis&)>& e,
                        const std::function<Axis(const Indices&)>& range) {
    const auto value = [&](const Indices& i) {
      const Axis k = range(i);
      return sum(k, e(i, k));
    };
    return compute(x.shape(), value, "t");
  };
  const Expr c = x.shape(1);
  const auto element = [&](const Indices& i, const Axis& k) {
    return x(i[0], clamp(k, 0, c - 1)) + 0.5f;
  };
  for (const Tensor& t :
       {made(element, [](const Indices& i) { return reduce_axis(i[1] + 2, "k"); }),
        made(element, [](const Indices& i) { return reduce_axis(i[1] - 1, "k"); }),
        made(element, [](const Indices& i) { return reduce_axis(i[1] + m, "k"); }),
        made(element, [](const Indices& i) { return reduce_axis(2 * i[1] + 1, "k"); }),
        made(element, [](const Indices& i) { return reduce_axis(min(i[1] + 1, m), "k"); }),
        made(element, [](const Indices& i) { return reduce_axis(i[1], 2 * i[1] + 1, "k"); }),
        made(element, [&](const Indices& i) { return reduce_axis(c - i[1], "k"); }),
        made([&](const Indices& i, const Axis& k) { return element(i, k) * cast(f32, i[1]); },
             [](const Indices& i) { return reduce_axis(i[1] + 1, "k"); })}) {
    CHECK_FALSE(is_running(t));
    check(t, {{3, 9}});
  }
}

TEST_CASE("a million elements are summed up in linear time", "[graph]") {
  const Tensor x = placeholder("x", f32, {n});
  for (const bool reverse : {false, true}) {
    const NDArray ones(strata_float(32), {1 << 20});
    std::fill_n(ones.data<float>(), ones.size(), 1.0f);
    const NDArray sums = compile({cumsum(x, {0, false, reverse})})({ones})[0];
    CHECK(sums.data<float>()[reverse ? 0 : ones.size() - 1] == float(1 << 20));
    CHECK(sums.data<float>()[1000] == float(reverse ? (1 << 20) - 1000 : 1001));
  }
}

}  // namespace strata::test::running_test
