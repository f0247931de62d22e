// Parameters that the kernel reads from its arguments.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/strata.h>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::sizes_test {

using reference::Point;

namespace {

reference::Arrays with_sizes(const Function& f, const std::string& name, const std::string& input,
                             const std::vector<std::int64_t>& sizes) {
  reference::Arrays given;
  given[input] = reference::filled(f.program(), {{name, 0}}, input, [&](const Point& p) {
    return double(sizes.at(std::size_t(p[0])));
  });
  return given;
}

}  // namespace

TEST_CASE("matmul with sizes read from a buffer", "[sizes][case-30]") {
  Function f("product");
  Input sizes = f.input("sizes", i32, {3});
  Param N = f.param("N", sizes(0)), D = f.param("D", sizes(1)), M = f.param("M", sizes(2));
  Var i("i", 0, N), j("j", 0, M), k("k", 0, D);
  Input A = f.input("A", i32, {N, D}), B = f.input("B", i32, {D, M});
  Computation C = f.computation("C", {i, j, Var("k", -1, 0)}, constant(i32, 0));
  Computation step = C.update({i, j, k}, {i, j, k}, C(i, j, k - 1) + A(i, k) * B(k, j));
  C.store_in(Buffer("R"), {i, j});
  step.after(C, k);
  Judged product(f, {sizes.buffer(), A.buffer(), B.buffer(), Buffer("R")});
  CHECK(product.tree().parameters.empty());
  for (const auto& [n, d, m] : {std::tuple{7, 7, 3}, std::tuple{2, 0, 4}, std::tuple{0, 1, 1}}) {
    reference::Arrays given = with_sizes(f, "N", "sizes", {n, d, m});
    const reference::Parameters all{{"N", n}, {"D", d}, {"M", m}};
    for (const char* name : {"A", "B"})
      given[name] =
          reference::filled(f.program(), all, name, [](const Point& e) { return e[0] + e[1]; });
    const auto out = product.check({n, d, m}, given);
    if (n == 7) CHECK(out["R"].integer({6, 2}) == 343);
  }
}

TEST_CASE("two tilings of a size read from a buffer", "[sizes][case-32]") {
  Function f("tiled");
  Input size = f.input("size", i64, {1});
  Param N = f.param("N", size(0));
  f.assume(N > 32);
  Var i("i", 0, N), j("j", 0, N), x("x", 0, N), y("y", 0, N);
  Computation S0 = f.computation("S0", {i, j}, cast(i32, i * 3 + j));
  Computation S1 = f.computation("S1", {x, y}, S0(x, y));
  S0.tile(i, j, 8, 8);
  S0.vectorize(Var("j_in"), 8);
  S1.tile(x, y, 32, 32);
  S1.vectorize(Var("y_in"), 8);
  Judged tiled(f, {size.buffer(), S0.buffer(), S1.buffer()});
  for (const std::int64_t n : {33, 40, 64, 100}) {
    const auto out = tiled.check({n}, with_sizes(f, "N", "size", {n}));
    CHECK(out["S1"].integer({n - 1, n - 2}) == (n - 1) * 3 + n - 2);
  }
}

TEST_CASE("mttkrp with sizes read from buffers", "[sizes][case-35]") {
  Function f("mttkrp");
  Input sizes = f.input("sizes", i32, {4});
  Param I = f.param("I", sizes(0)), J = f.param("J", sizes(1)), K = f.param("K", sizes(2)),
        L = f.param("L", sizes(3));
  Var i("i", 1, I + 1), j("j", 1, J + 1), k("k", 1, K + 1), l("l", 1, L + 1);
  Input B = f.input("B", f64, {I + 1, K + 1, L + 1}), C = f.input("C", f64, {K + 1, J + 1}),
        D = f.input("D", f64, {L + 1, J + 1});
  Computation inner = f.computation("inner", {i, j, k}, sum(l, B(i, k, l) * D(l, j)));
  Computation A = f.computation("A", {i, j}, sum(k, C(k, j) * inner(i, j, k)));
  Judged mttkrp(f, {sizes.buffer(), B.buffer(), C.buffer(), D.buffer(), A.buffer()});
  reference::Arrays given = with_sizes(f, "I", "sizes", {2, 2, 2, 2});
  const reference::Parameters two{{"I", 2}, {"J", 2}, {"K", 2}, {"L", 2}};
  const auto fill = [&](const char* name, auto value) {
    given[name] = reference::filled(f.program(), two, name, [value](const Point& p) {
      for (const std::int64_t index : p)
        if (index == 0) return 0.0;
      return double(value(p));
    });
  };
  fill("B", [](const Point& p) { return (4 * p[0] + 2 * p[1] + p[2] - 6) / 10.0; });
  fill("C", [](const Point& p) {
    const double n = double(2 * p[0] + p[1] - 2);
    return (p[1] == 1 ? -n : n) / 10;
  });
  fill("D", [](const Point& p) {
    const double n = double(2 * p[0] + p[1] - 2);
    return (p[1] == 1 ? n : -n) / 10;
  });
  const auto out = mttkrp.check({2, 2, 2, 2}, given);
  CHECK(out["A"].real({1, 1}) == Approx(-0.052));
  CHECK(out["A"].real({1, 2}) == Approx(-0.108));
  CHECK(out["A"].real({2, 1}) == Approx(-0.116));
  CHECK(out["A"].real({2, 2}) == Approx(-0.252));
}

TEST_CASE("sizes are checked before and after they are read", "[sizes]") {
  Function f("checked");
  Param at = f.param("at");
  Input sizes = f.input("sizes", i64, {at + 1});
  f.assume(at >= 0);
  Param N = f.param("N", sizes(at));
  f.assume(N % 2 == 0);
  Var i("i", 0, N);
  Input in = f.input("in", i32, {N});
  Computation out = f.computation("out", {i}, in(i) + 1);
  const JitFunction kernel = f.jit({sizes.buffer(), in.buffer(), out.buffer()});
  Array<std::int64_t> s({3});
  Array<std::int32_t> a({6}), o({6});
  for (std::int64_t x = 0; x < 6; ++x) a(x) = std::int32_t(x), o(x) = -1;
  s(0) = 2, s(1) = 1, s(2) = 6;
  CHECK(kernel({2}, {s, a, o}) == 0);
  CHECK(o(5) == 6);
  CHECK(kernel({1}, {s, a, o}) == strata_error_assumption);
  CHECK(kernel({3}, {s, a, o}) == strata_error_out_of_bounds);
  CHECK(kernel({0}, {nullptr, a, o}) == strata_error_null_buffer);
  s(2) = 8;
  CHECK(kernel({2}, {s, a, o}) == strata_error_out_of_bounds);
  s(2) = std::int64_t{1} << 62;
  CHECK(kernel({2}, {s, a, o}) == strata_error_parameter_range);
}

TEST_CASE("what a size cannot be read from", "[sizes]") {
  Function f("wrong");
  Input sizes = f.input("sizes", i32, {3}), real = f.input("real", f32, {3});
  CHECK(refuses(f, Code::E0106_bad_argument, [&] { f.param("n", real(0)); }));
  CHECK(refuses(f, Code::E0106_bad_argument, [&] { f.param("n", sizes(0) + 1); }));
  CHECK(refuses(f, Code::E0113_read_outside_domain, [&] { f.param("n", sizes(3)); }));
  CHECK(refuses(f, Code::E0109_wrong_arity, [&] { f.param("n", sizes(0, 0)); }));
  CHECK(refuses(f, Code::E0104_name_taken, [&] { f.param("sizes", sizes(0)); }));
}

}  // namespace strata::test::sizes_test
