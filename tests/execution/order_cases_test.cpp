// Programs with particular orders of nests, and domains that are not boxes.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"

namespace strata::test::order_cases_test {

using reference::Point;

TEST_CASE("nests ordered at mixed levels", "[case-20]") {
  const std::int64_t n = 4;
  Function f("mixed");
  Var i("i", 0, n), j("j", 0, n);
  std::vector<Computation> s;
  for (int c = 0; c < 4; ++c)
    s.push_back(f.computation("s" + std::to_string(c), {i, j}, constant(i32, 2 + c)));
  s[1].after(s[0], i);
  s[2].after(s[1], j);
  s[3].after(s[2], i);
  Judged mixed(f, {s[3].buffer()});
  const auto out = mixed.check({});
  for (const Point& p : out["s3"].elements()) CHECK(out["s3"].integer(p) == 5);

  // for i: (for j: s0), (for j: s1, s2), (for j: s3)
  std::vector<std::pair<std::string, Point>> expected;
  for (std::int64_t a = 0; a < n; ++a) {
    for (std::int64_t b = 0; b < n; ++b) expected.emplace_back("s0", Point{a, b});
    for (std::int64_t b = 0; b < n; ++b)
      for (const char* name : {"s1", "s2"}) expected.emplace_back(name, Point{a, b});
    for (std::int64_t b = 0; b < n; ++b) expected.emplace_back("s3", Point{a, b});
  }
  std::vector<std::pair<std::string, Point>> found;
  for (const reference::Executed& e : mixed.trace({}))
    found.emplace_back(e.computation, e.instance);
  CHECK(found == expected);
}

TEST_CASE("a box blur that clamps its indices", "[case-24]") {
  Function f("clamped");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), i0("i0"), j0("j0"), i1("i1"), j1("j1");
  Input in = f.input("in", u8, {N, N});
  Expr total;
  for (const int di : {-1, 0, 1})
    for (const int dj : {-1, 0, 1}) {
      const Expr one = in(clamp(i + di, 0, N - 1), clamp(j + dj, 0, N - 1));
      total = total.defined() ? total + one : one;
    }
  Computation s = f.computation("s", {i, j}, total / 9);
  s.tile(i, j, 2, 2, i0, j0, i1, j1);
  s.parallelize(i0);
  Judged clamped(f, {in.buffer(), s.buffer()});
  reference::Arrays given;
  given["in"] = reference::filled(f.program(), {{"N", 100}}, "in",
                                  [](const Point& p) { return p[0] + p[1]; });
  const auto out = clamped.check({100}, given);
  CHECK(out["s"].integer({0, 0}) == 0);
  CHECK(out["s"].integer({13, 20}) == 4);
  CHECK(out["s"].integer({50, 50}) == 14);
  CHECK(out["s"].integer({99, 99}) == 26);
  std::int64_t sum = 0;
  for (const Point& p : out["s"].elements()) sum += out["s"].integer(p);
  CHECK(sum == 137365);
  for (const std::int64_t n : {0, 1, 2, 3, 5}) clamped.check({n});
}

TEST_CASE("tiles in three dimensions, fused at the third tile loop", "[case-29]") {
  Function f("tiled_cubes");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), k("k", 0, N);
  Var i0("i0"), j0("j0"), k0("k0"), i1("i1"), j1("j1"), k1("k1");
  Computation s0 = f.computation("s0", {i, j, k}, cast(i32, 100 * i + 10 * j + k));
  Computation s1 = f.computation("s1", {i, j, k}, s0(i, j, k) + 1);
  for (Computation* s : {&s0, &s1}) s->tile(i, j, k, 4, 4, 4, i0, j0, k0, i1, j1, k1);
  s1.after(s0, k0);
  Judged cubes(f, {s1.buffer()});
  const auto out = cubes.check({10});
  for (const Point& p : out["s1"].elements())
    CHECK(out["s1"].integer(p) == 100 * p[0] + 10 * p[1] + p[2] + 1);
  for (const std::int64_t n : {0, 1, 3, 4, 5, 8}) cubes.check({n});
}

TEST_CASE("a domain of two pieces feeds a dense reader", "[case-36]") {
  Function f("two_pieces");
  Param N = f.param("N"), M = f.param("M");
  Var c("c", 0, 3), y("y", 0, M), x("x", -1, N);
  Computation p =
      f.computation("p",
                    Domain("[N, M] -> { p[c, y, x] : 0 <= c <= 2 and 0 <= y < M and x >= -1 and "
                           "((x >= 0 and 2x < N) or 2x <= N - 3) }"),
                    cast(i32, 100 * variable("c") + 10 * variable("y") + variable("x")));
  const Expr inside = (x >= 0 && 2 * x < N) || 2 * x <= N - 3;
  Computation d = f.computation("d", {c, y, x}, select(inside, p(c, y, x), -7));
  Judged two(f, {d.buffer()});
  for (const std::int64_t n : {0, 1, 2, 3, 6, 9}) {
    const auto out = two.check({n, 2});
    for (std::int64_t a = -1; a < n; ++a)
      CHECK(out["d"].integer({2, 1, a}) ==
            ((a >= 0 && 2 * a < n) || 2 * a <= n - 3 ? 210 + a : -7));
  }
}

TEST_CASE("a strided domain feeds a dense reader", "[case-36]") {
  Function f("strided");
  Param N = f.param("N");
  Var x("x", 0, N);
  Computation p = f.computation("p", Domain("[N] -> { p[x] : 0 <= x < N and x mod 3 = 1 }"),
                                cast(i32, 7 * variable("x")));
  Computation d = f.computation("d", {x}, select(x % 3 == 1, p(x), 0));
  p.vectorize(Var("x"), 4);
  Judged strided(f, {d.buffer()});
  for (const std::int64_t n : {0, 1, 2, 3, 5, 13, 30}) strided.check({n});
}

}  // namespace strata::test::order_cases_test
