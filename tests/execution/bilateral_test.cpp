// A bilateral filter (Tomasi and Manduchi, 1998) as a reduction of tuples: a step has two
// exponentials, whose product is a weight that both scalars use. Without sharing they would be
// called twice in each step. One depends on the step alone, the same for all pixels.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"
#include "tests/unit/halide/assembly.h"

namespace strata::test::bilateral_test {

namespace {

const Var y("y"), x("x"), u("u"), v("v");

// out(y, x) = sum(w in(y + u, x + v)) / sum(w) over |u|, |v| <= 2
struct Filter {
  Function f{"bilateral"};
  Param H = f.param("H"), W = f.param("W");
  Input in = f.input("in", f32, {H + 4, W + 4});
  Var rows{"y", 0, H}, columns{"x", 0, W}, u_range{"u", -2, 3}, v_range{"v", -2, 3};
  Computation sums = f.computation({"sum", "weight"}, {rows, columns}, weighted());
  Computation weight = sums.component(1);
  Computation out = f.computation("out", {rows, columns}, sums(y, x) / weight(y, x));

  Tuple weighted() const {
    const Reducer both("both", {0.0f, 0.0f}, [](const auto& a, const auto& b) {
      return std::vector<Expr>{a[0] + b[0], a[1] + b[1]};
    });
    const Expr there = in(y + u + 2, x + v + 2), apart = there - in(y + 2, x + 2);
    const Expr far = cast(f32, u * u + v * v);
    const Expr w = exp(far * -0.125f) * exp(apart * apart * -0.5f);
    return reduce(both, std::vector<Var>{u_range, v_range}, {w * there, w});
  }
  std::vector<Buffer> arguments() const { return {in.buffer(), out.buffer()}; }
};

const std::vector<std::vector<std::int64_t>> sizes{{0, 3}, {1, 1}, {5, 19}};

Options fast() {
  Options options;
  options.floats = Floats::fast;
  options.bound = 1e-4;
  return options;
}

// The calls of the C library's exp in the innermost loop that has most of "most".
int calls_in_loop(const Judged& judged, const std::string& most) {
  return Assembly(judged.tree()).count_in_loop(most, "call.*\\bstrata_expf\\b");
}

// An exponential of vectors shifts two exponents to their places.
const std::string shift = "vpslld\\b";

int vectors_in_loop(const Judged& judged) {
  return Assembly(judged.tree()).count_in_loop(shift, shift) / 2;
}

// Two loops of vectors, of which the inner one computes the sums of 8 pixels.
void in_vectors(Filter& filter) {
  const Var x0("x0"), x1("x1");
  filter.out.split(x, 8, x0, x1);
  filter.sums.compute_at(filter.out, x0).vectorize(x);
  filter.out.vectorize(x1);
}

}  // namespace

TEST_CASE("the scalars of a tuple share the calls of a step", "[sharing]") {
  Filter filter;
  Judged judged(filter.f, filter.arguments(), fast());
  for (const auto& size : sizes) judged.check(size);
  CHECK(calls_in_loop(judged, "call") == 1);  // that of u and v is in a table
}

TEST_CASE("the scalars of a tuple share the calls of a step in vectors", "[sharing]") {
  Filter filter;
  in_vectors(filter);
  Judged judged(filter.f, filter.arguments(), fast());
  for (const auto& size : sizes) judged.check(size);
  CHECK(vectors_in_loop(judged) == 1);
  CHECK(calls_in_loop(judged, shift) == 0);  // that of u and v is in a table
}

TEST_CASE("a call whose argument unrolling makes a constant is a constant", "[sharing]") {
  Filter filter;
  in_vectors(filter);
  filter.sums.unroll(u).unroll(v);
  Judged judged(filter.f, filter.arguments(), fast());
  for (const auto& size : sizes) judged.check(size);
  CHECK(vectors_in_loop(judged) == 25);
  CHECK(calls_in_loop(judged, shift) == 0);
}

}  // namespace strata::test::bilateral_test
