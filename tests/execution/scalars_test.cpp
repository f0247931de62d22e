// Scalars: arguments that are passed by value, of every type and in every place of an expression.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/runtime.h>
#include <strata/strata.h>

#include <cmath>
#include <limits>

#include "tests/execution/harness.h"

namespace strata::test::scalars_test {

namespace {

const Type all_types[] = {boolean, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64};

// y(i) = alpha * x(i) + beta, in vectors on all cores.
struct Axpb {
  Function f{"axpb"};
  Param N = f.param("N");
  Var i{"i", 0, N};
  Scalar alpha = f.scalar("alpha", f32);
  Input x = f.input("x", f32, {N});
  Scalar beta = f.scalar("beta", f64);
  Computation y = f.computation("y", {i}, cast(f64, alpha* x(i)) + beta);

  Axpb() {
    y.split(i, 16, i, Var("i1")).vectorize("i1", 8);
    y.parallelize(i);
  }
  std::vector<Buffer> arguments() const { return {x.buffer(), y.buffer()}; }
};

}  // namespace

TEST_CASE("a scalar of each type is a value", "[scalars]") {
  for (const Type type : all_types)
    for (const bool vectors : {false, true}) {
      INFO(to_string(type) << (vectors ? " in vectors" : ""));
      Function f("scaled");
      Param N = f.param("N");
      Var i("i", 0, N);
      Input x = f.input("x", type, {N});
      Scalar s = f.scalar("s", type);
      const Expr value = type == boolean ? x(i) != s : select(x(i) < s, s, x(i) + s);
      Computation y = f.computation("y", {i}, value), z = f.computation("z", {i}, s);
      if (vectors) {
        y.vectorize(i, 8);
        z.vectorize(i, 8);
      }
      for (const std::uint64_t seed : {1, 2, 3}) {
        Options options;
        options.seed = seed;
        Judged(f, {x.buffer(), y.buffer(), z.buffer()}, options).check({19});
      }
    }
}

TEST_CASE("scalars come after the parameters, in order of declaration", "[scalars]") {
  const Axpb p;
  const JitFunction kernel = Function(p.f).jit(p.arguments());
  Array<float> x{35};
  Array<double> y{35};
  for (int i = 0; i < 35; ++i) x(i) = float(i);
  REQUIRE(kernel({35}, {0.5f, 3}, {x, y}) == 0);
  for (int i = 0; i < 35; ++i) REQUIRE(y(i) == 0.5 * i + 3);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  REQUIRE(kernel({35}, {-std::numeric_limits<float>::infinity(), 0.0}, {x, y}) == 0);
  CHECK(std::isnan(y(0)));
  CHECK(y(34) == -std::numeric_limits<double>::infinity());
  REQUIRE(kernel({35}, {1, nan}, {x, y}) == 0);
  CHECK(std::isnan(y(7)));
}

TEST_CASE("a call with other scalars is refused", "[scalars]") {
  Function f("shifted");
  Scalar s = f.scalar("s", u8), t = f.scalar("t", boolean);
  Computation y = f.computation("y", {}, select(t, cast(i32, s), -1));
  const JitFunction kernel = f.jit({y.buffer()});
  Array<std::int32_t> out(std::vector<std::int64_t>{});
  const std::string wrong = "shifted: the scalar s is ";
  CHECK(kernel({}, {255, true}, {out}) == 0);
  CHECK(out() == 255);
  CHECK(kernel({}, {7.0, 0}, {out}) == 0);
  CHECK(out() == -1);
  for (const auto& [value, text] : std::vector<std::pair<ScalarValue, std::string>>{
           {256, "256"}, {-1, "-1"}, {0.5, "0.5"}, {std::nan(""), "nan"}}) {
    CHECK(kernel({}, {value, true}, {out}) == strata_error_wrong_arguments);
    CHECK(strata_last_error() == wrong + text + ", which uint8 does not have");
  }
  CHECK(kernel({}, {1, 2}, {out}) == strata_error_wrong_arguments);
  CHECK(kernel({}, {1}, {out}) == strata_error_wrong_arguments);
  CHECK(std::string(strata_last_error()) == "shifted takes 2 scalars, not 1");
  CHECK(kernel({}, {out}) == strata_error_wrong_arguments);
}

TEST_CASE("an index made of a scalar is checked when the kernel runs", "[scalars]") {
  Function f("picked");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input x = f.input("x", i32, {N});
  Scalar at = f.scalar("at", i64), rows = f.scalar("rows", i32);
  Computation y = f.computation("y", {i}, x(at) + x(i));
  Computation z = f.computation("z", {}, sum(Var("k", 0, rows), x(Expr(Var("k")))));
  y.vectorize(i, 4);
  const JitFunction kernel = f.jit({x.buffer(), y.buffer(), z.buffer()});
  Array<std::int32_t> in{9}, out{9}, total(std::vector<std::int64_t>{});
  for (int n = 0; n < 9; ++n) in(n) = n * n;
  REQUIRE(kernel({9}, {5, 4}, {in, out, total}) == 0);
  for (int n = 0; n < 9; ++n) REQUIRE(out(n) == 25 + n * n);
  CHECK(total() == 14);
  REQUIRE(kernel({9}, {0, 1000}, {in, out, total}) == 0);
  CHECK(total() == 204);
  for (const std::int64_t bad : {std::int64_t{-1}, std::int64_t{9}, INT64_MIN, INT64_MAX})
    CHECK(kernel({9}, {bad, 1}, {in, out, total}) == strata_error_index_out_of_range);
}

TEST_CASE("scalars in conditions, predicates and recomputation", "[scalars]") {
  Function f("cut");
  Param N = f.param("N");
  Var i("i", 0, N), k("k", 0, N);
  Input x = f.input("x", i32, {N});
  Scalar limit = f.scalar("limit", i32);
  Computation s = f.computation("s", {i}, x(i) * limit);
  Computation t = f.computation("t", {i}, sum(k, s(k)));
  t.where(x(k) > limit);
  Computation u = t.update({i}, {i}, t(i) + limit);
  u.where(x(i) < limit);
  s.compute_at(t, k);
  Judged cut(f, {x.buffer(), t.buffer()});
  for (const std::int64_t n : {0, 1, 8}) cut.check({n});
}

}  // namespace strata::test::scalars_test
