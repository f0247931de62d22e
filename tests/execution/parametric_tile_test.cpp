// One kernel for all tile sizes.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/runtime.h>
#include <strata/strata.h>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::parametric_tile_test {

namespace {

const std::vector<std::int64_t> tile_sizes{1, 2, 3, 7, 8, 64};

}  // namespace

TEST_CASE("parametric tiles of a box", "[parametric]") {
  for (const bool tagged : {false, true}) {
    Function f("box");
    Param N = f.param("N"), M = f.param("M"), T = f.param("T"), U = f.param("U");
    Var i("i", 0, N), j("j", 0, M), i0("i0"), j0("j0"), i1("i1"), j1("j1");
    Input in = f.input("in", i32, {N, M});
    Computation s = f.computation("s", {i, j}, in(i, j) * 3 + cast(i32, i - j));
    s.tile(i, j, T, U, i0, j0, i1, j1);
    if (tagged) s.parallelize(i0).vectorize(j1, 8).unroll(i1, 2);
    Judged box(f, {in.buffer(), s.buffer()});
    for (const std::int64_t t : tile_sizes)
      for (const std::int64_t u : {1, 5, 8, 40}) box.check({9, 13, t, u});
    for (const std::int64_t n : {0, 1, 7}) box.check({n, n + 1, 3, 3});
  }
}

TEST_CASE("parametric tiles of a triangle that begins below zero", "[parametric]") {
  Function f("triangle");
  Param N = f.param("N"), T = f.param("T");
  Computation s = f.computation("s", Domain("[N] -> { s[i, j] : -3 <= i <= j < N }"),
                                cast(i32, 5 * variable("i") + variable("j")));
  s.store_in({variable("i") + 3, variable("j") + 3});
  Var i("i"), j("j"), i0("i0"), j0("j0"), i1("i1"), j1("j1");
  s.tile(i, j, T, T, i0, j0, i1, j1);
  s.interchange(i0, j0);
  s.vectorize(j1, 4);
  Judged triangle(f, {s.buffer()});
  for (const std::int64_t t : tile_sizes)
    for (const std::int64_t n : {-3, -2, 0, 6}) triangle.check({n, t});
}

TEST_CASE("a stencil in place, skewed and tiled by parameters", "[parametric]") {
  for (const bool wavefront : {false, true}) {
    Function f("stencil");
    Param N = f.param("N"), S = f.param("S"), T = f.param("T"), U = f.param("U");
    Input grid = f.input("grid", i32, {N});
    Var t("t", 0, S), i("i", 1, N - 1), t0("t0"), i0("i0"), t1("t1"), i1("i1");
    Computation u = f.declare("u", {t, i}, i32);
    const auto before = [&](const Expr& x) {
      return select(t > 0 && x > 0 && x < N - 1, u(t - 1, x), grid(x));
    };
    const auto now = [&](const Expr& x) { return select(x > 0, u(t, x), grid(x)); };
    u.define(now(i - 1) + 2 * before(i) + before(i + 1));
    u.store_in(grid.buffer(), {i});
    u.skew(t, i, 1, 0, 1, 1, t, i);
    u.tile(t, i, T, U, t0, i0, t1, i1);
    if (wavefront) u.interchange(t0, i0);
    Judged stencil(f, {grid.buffer()});
    for (const std::int64_t size : tile_sizes)
      for (const std::int64_t width : {1, 3, 8, 50}) stencil.check({9, 5, size, width});
  }
}

TEST_CASE("a matrix product in parametric tiles", "[parametric]") {
  Function f("product");
  Param N = f.param("N"), M = f.param("M"), K = f.param("K"), T = f.param("T");
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K);
  Var i0("i0"), j0("j0"), k0("k0"), i1("i1"), j1("j1"), k1("k1");
  Input a = f.input("a", i32, {N, K}), b = f.input("b", i32, {K, M});
  Computation c = f.computation("c", {i, j}, sum(k, a(i, k) * b(k, j)));
  c.tile(i, j, k, T, T, T, i0, j0, k0, i1, j1, k1);
  c.interchange(j1, k1);
  c.parallelize(i0);
  c.vectorize(j1, 8);
  Judged product(f, {a.buffer(), b.buffer(), c.buffer()});
  for (const std::int64_t t : tile_sizes) product.check({9, 11, 5, t});
  product.check({3, 3, 0, 2});
}

TEST_CASE("a blur computes what each parametric tile needs", "[parametric]") {
  for (const bool inner : {false, true}) {
    Function f("blur");
    Param N = f.param("N"), M = f.param("M"), T = f.param("T"), U = f.param("U");
    Input in = f.input("in", i32, {N + 2, M + 2});
    Var y("y", 0, N + 2), i("i", 0, N), j("j", 0, M), x("x", 0, M);
    Var i0("i0"), j0("j0"), i1("i1"), j1("j1");
    Computation bx = f.computation("bx", {y, x}, in(y, x) + in(y, x + 1) + in(y, x + 2));
    Computation by = f.computation("by", {i, j}, bx(i, j) + bx(i + 1, j) + bx(i + 2, j));
    by.tile(i, j, T, U, i0, j0, i1, j1);
    bx.compute_at(by, inner ? i1 : j0);
    by.parallelize(i0);
    by.vectorize(j1, 8);
    bx.vectorize(x, 4);
    Judged blur(f, {in.buffer(), by.buffer()});
    for (const std::int64_t t : tile_sizes)
      for (const std::int64_t u : {1, 5, 8, 40}) blur.check({7, 13, t, u});
    blur.check({0, 3, 2, 2});
  }
}

TEST_CASE("sums of a parametric tile in a buffer of its own", "[parametric]") {
  Function f("product");
  Param N = f.param("N"), M = f.param("M"), K = f.param("K"), T = f.param("T");
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K);
  Var i0("i0"), j0("j0"), i1("i1"), j1("j1");
  Input a = f.input("a", i32, {N, K}), b = f.input("b", i32, {K, M});
  Computation sums = f.computation("sums", {i, j}, sum(k, a(i, k) * b(k, j)));
  Computation c = f.computation("c", {i, j}, sums(i, j) + 1);
  c.tile(i, j, T, 8, i0, j0, i1, j1);
  sums.compute_at(c, j0);
  sums.interchange(j, k).interchange(i, k);
  sums.vectorize(j, 8);
  Judged product(f, {a.buffer(), b.buffer(), c.buffer()});
  for (const std::int64_t t : tile_sizes) product.check({9, 11, 3, t});
}

TEST_CASE("a size below one is refused when the kernel is called", "[parametric]") {
  Function f("checked");
  Param N = f.param("N"), T = f.param("T");
  Var i("i", 0, N);
  Computation s = f.computation("s", {i}, cast(i32, i));
  s.split(i, T);
  const JitFunction kernel = f.jit({s.buffer()});
  strata::Array<std::int32_t> out({5}, 77);
  CHECK(kernel({5, 0}, {out}) == strata_error_assumption);
  CHECK(std::string(strata_last_error()).find("T >= 1") != std::string::npos);
  CHECK(out(0) == 77);
  CHECK(kernel({5, 2}, {out}) == 0);
  CHECK(out(4) == 4);
}

TEST_CASE("two nests share parametric tiles", "[parametric]") {
  Function f("shared");
  Param N = f.param("N"), T = f.param("T");
  Var i("i", 0, N), i0("i0"), i1("i1");
  Input in = f.input("in", i32, {N});
  Computation p = f.computation("p", {i}, in(i) * 2);
  Computation q = f.computation("q", {i}, p(i) + select(i > 0, p(i - 1), 0));
  p.split(i, T, i0, i1);
  q.split(i, T, i0, i1);
  p.fuse(i0, q, i0);
  // q(i) reads p(i - 1), which may have been made in the previous tile.
  CHECK(refuses(f, Code::E0307_out_of_scope, [&] { p.allocate_at(p, i0); }));
  Judged shared(f, {in.buffer(), p.buffer(), q.buffer()});
  for (const std::int64_t t : tile_sizes)
    for (const std::int64_t n : {0, 1, 13}) shared.check({n, t});
}

}  // namespace strata::test::parametric_tile_test
