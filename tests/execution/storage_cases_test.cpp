// Storage and recomputation: cases from the tests of other compilers.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::storage_cases_test {

namespace {

const Var i("i"), j("j"), k("k"), l("l");

Param parameter_of_two(Function& f, const std::string& name) {
  const Param p = f.param(name);
  f.assume(p >= 2);
  return p;
}

Var range(const Var& v, const Expr& upper) { return Var(v.name(), 0, upper); }

}  // namespace

TEST_CASE("domains that follow from a chain of readers", "[case-10]") {
  Function f("chain");
  Param M = f.param("M");
  Computation s0 = f.computation("s0", {i, j}, cast(i32, 10 * i + j));
  Computation s1 = f.computation("s1", {i, j}, s0(i, j));
  Computation s2 = f.computation("s2", {i, j}, 2 * s0(i, j) + s1(0, 1));
  Computation s3 = f.computation("s3", {i, j}, 2 * s2(i, j) + s1(i, j) + s0(i, j));
  Computation s4 = f.computation("s4", {range(i, M), range(j, M)}, s3(i, j) + 1);
  Judged judged(f, {s4.buffer()});
  for (std::int64_t m : {0, 1, 2, 7}) {
    const auto out = judged.check({m});
    for (std::int64_t x = 0; x < m; ++x)
      for (std::int64_t y = 0; y < m; ++y) CHECK(out["s4"].integer({x, y}) == 6 * (10 * x + y) + 3);
  }
}

TEST_CASE("domains that follow from one element, and from a maximum", "[case-11]") {
  Function f("maximum");
  Param N = f.param("N"), M = f.param("M"), T1 = f.param("T1"), T2 = f.param("T2");
  Computation s0 = f.computation("s0", {i, j}, cast(i32, 10 * i + j));
  Computation s1 = f.computation("s1", {range(i, M), range(j, T1)}, s0(0, 1));
  Computation s2 = f.computation("s2", {i, j}, 2 * s0(i, j));
  Computation s3 = f.computation("s3", {i, j}, s2(i, j) + s0(i, j));
  Computation s4 = f.computation("s4", {range(i, max(N, M)), range(j, T2)}, s3(i, j) + 1);
  Judged judged(f, {s1.buffer(), s4.buffer()});
  for (const auto& p : std::vector<std::vector<std::int64_t>>{
           {0, 0, 0, 0}, {2, 3, 1, 1}, {4, 2, 2, 5}, {0, 1, 1, 0}}) {
    const auto out = judged.check(p);
    for (std::int64_t x = 0; x < p[1]; ++x)
      for (std::int64_t y = 0; y < p[2]; ++y) CHECK(out["s1"].integer({x, y}) == 1);
    for (std::int64_t x = 0; x < std::max(p[0], p[1]); ++x)
      for (std::int64_t y = 0; y < p[3]; ++y)
        CHECK(out["s4"].integer({x, y}) == 3 * (10 * x + y) + 1);
  }
}

TEST_CASE("a row that each iteration has for itself", "[case-14]") {
  Function f("rows");
  Param N = f.param("N");
  Computation row = f.computation("row", {range(i, N), range(j, N)}, cast(i32, i + j));
  Computation result = f.computation("result", {range(i, N), range(j, N)}, row(i, j) + 1);
  CHECK(refuses(f, Code::E0301_value_overwritten, [&] { row.store_in({j}); }));
  result.after(row, j);
  row.store_in({j});
  CHECK_THROWS_AS(row.parallelize(i), Error);
  row.allocate_at(result, i);
  result.parallelize(i);
  Judged judged(f, {result.buffer()});
  for (std::int64_t n : {0, 1, 6}) {
    const auto out = judged.check({n});
    for (std::int64_t x = 0; x < n; ++x)
      for (std::int64_t y = 0; y < n; ++y) CHECK(out["result"].integer({x, y}) == x + y + 1);
  }
}

namespace {

// The mean of three neighbours (two at the ends) in each row of s0(i, j) = 10 i + j, in one buffer.
struct Means {
  Function f{"means"};
  Param N = parameter_of_two(f, "N");
  Var inner{"j", 1, N - 1};
  Computation s0 = f.computation("s0", {range(i, N), range(j, N)}, cast(i32, 10 * i + j));
  Computation s1 =
      f.computation("s1", {range(i, N), inner}, (s0(i, j - 1) + s0(i, j) + s0(i, j + 1)) / 3);
  Computation s2 = f.computation("s2", {range(i, N)}, (s0(i, 0) + s0(i, 1)) / 2);
  Computation s3 = f.computation("s3", {range(i, N)}, (s0(i, N - 2) + s0(i, N - 1)) / 2);
  Buffer out = f.buffer("out", i32, {N, N});

  Means() {
    s1.store_in(out, {i, j});
    s2.store_in(out, {i, 0});
    s3.store_in("[N] -> { s3[i] -> out[i, N - 1] }");
  }

  void check() {
    Judged judged(f, {out});
    for (std::int64_t n : {2, 3, 4, 9}) {
      const auto result = judged.check({n});
      for (std::int64_t x = 0; x < n; ++x) {
        CHECK(result["out"].integer({x, 0}) == 10 * x);
        for (std::int64_t y = 1; y + 1 < n; ++y) CHECK(result["out"].integer({x, y}) == 10 * x + y);
        CHECK(result["out"].integer({x, n - 1}) == 10 * x + n - 2);
      }
    }
  }
};

}  // namespace

TEST_CASE("compute_at at the innermost loop, the rows, and root", "[case-17][case-18]") {
  Means innermost;
  innermost.s0.compute_at({{innermost.s1, j}, {innermost.s2, i}, {innermost.s3, i}});
  innermost.check();
  Means rows;
  rows.s2.after(rows.s1, i);
  rows.s3.after(rows.s2, i);
  rows.s0.compute_at(rows.s1, i);
  rows.s1.parallelize(i);
  rows.check();
  Means outside;
  outside.s0.compute_at({{outside.s1, i}, {outside.s2, i}, {outside.s3, i}});
  outside.s0.compute_at(root);
  outside.check();
}

TEST_CASE("an output folded in both dimensions keeps the last values", "[case-19]") {
  Function f("folded");
  Computation s = f.computation("s", {range(i, 10), range(j, 10)}, cast(i32, 10 * i + j));
  s.store_in({i % 2, j % 3});
  Judged judged(f, {s.buffer()});
  const auto out = judged.check({});
  for (std::int64_t r = 0; r < 2; ++r)
    for (std::int64_t c = 0; c < 3; ++c)
      CHECK(out["s"].integer({r, c}) == 10 * (8 + r) + std::vector<int>{9, 7, 8}[std::size_t(c)]);
  CHECK(refuses(f, Code::E0305_lanes_collide, [&] { s.vectorize(j, 5); }));
}

TEST_CASE("between two computations at different levels", "[case-21]") {
  for (const bool sum : {false, true}) {
    Function f("between");
    Param N = f.param("N");
    const std::vector<Var> grid{range(i, N), range(j, N)};
    Computation s0 = f.computation("s0", grid, cast(i32, 3 * (i + j)));
    Computation s1 = f.computation("s1", grid, sum ? s0(i, j) + 1 : s0(i, j) * 2);
    Computation s2 = f.computation("s2", grid, sum ? s0(i, j) + s1(i, j) : s1(i, j) / 5);
    s1.between(s0, j, s2, std::nullopt);
    s2.after(s1, i);
    Judged judged(f, {s2.buffer()});
    for (std::int64_t n : {0, 1, 5}) {
      const auto out = judged.check({n});
      for (std::int64_t x = 0; x < n; ++x)
        for (std::int64_t y = 0; y < n; ++y)
          CHECK(out["s2"].integer({x, y}) == (sum ? 6 * (x + y) + 1 : 6 * (x + y) / 5));
    }
  }
}

TEST_CASE("a cost volume over a triangle", "[case-31]") {
  Function f("volume");
  Param N = f.param("N");
  Input in = f.input("in", i32, {N, N});
  Computation volume = f.computation(
      "volume", Domain("[N] -> { volume[r, y, x] : 0 <= r < 4 and 0 <= y < N and r <= x < N }"),
      in(Var("y"), Var("x") - Var("r")));
  volume.vectorize(Var("x"), 4);
  volume.parallelize(Var("y"));
  Judged judged(f, {in.buffer(), volume.buffer()});
  for (std::int64_t n : {0, 1, 3, 10}) {
    reference::Arrays given;
    given["in"] = reference::filled(f.program(), {{"N", n}}, "in",
                                    [](const reference::Point& p) { return 10 * p[0] + p[1]; });
    const auto out = judged.check({n}, given);
    for (std::int64_t r = 0; r < 4; ++r)
      for (std::int64_t y = 0; y < n; ++y)
        for (std::int64_t x = r; x < n; ++x)
          CHECK(out["volume"].integer({r, y, x}) == 10 * y + x - r);
  }
}

TEST_CASE("stages in tiles of different sizes, at sizes around them", "[case-32]") {
  Function f("tiles");
  Param N = f.param("N");
  Var i0("i0"), j0("j0"), i1("i1"), j1("j1");
  Computation s0 = f.computation("s0", {range(i, N), range(j, N)}, cast(i32, i * 3 + j));
  Computation s1 = f.computation("s1", {range(i, N), range(j, N)}, s0(i, j));
  s0.tile(i, j, 8, 8, i0, j0, i1, j1).vectorize(j1, 8);
  s1.tile(i, j, 32, 32, i0, j0, i1, j1).vectorize(j1, 8);
  Judged judged(f, {s1.buffer()});
  for (std::int64_t n : {5, 33, 40, 64, 100}) {
    const auto out = judged.check({n});
    CHECK(out["s1"].integer({n - 1, n - 1}) == 4 * (n - 1));
    CHECK(out["s1"].integer({n / 2, n - 1}) == n / 2 * 3 + n - 1);
  }
}

TEST_CASE("updates that all fall on a few elements", "[case-33]") {
  Function f("counts");
  Param N = f.param("N");
  Var x("x"), y("y");
  Computation count = f.computation("count", {range(x, N), range(y, N)}, Expr(0));
  Computation added =
      count.update({range(i, N), range(j, N), range(x, N), range(y, N)}, {x, y}, count(x, y) + 1);
  Computation result = f.computation("result", {range(x, N), range(y, N)}, count(x, y));
  CHECK(refuses(f, Code::E0202_dependence_carried, [&] { added.parallelize(i); }));
  added.parallelize(x);
  Judged judged(f, {result.buffer()});
  const auto out = judged.check({10});
  CHECK(out["result"].integer({0, 0}) == 100);
  CHECK(out["result"].integer({9, 4}) == 100);
  judged.check({0});
  judged.check({3});
}

TEST_CASE("a buffer whose size depends on the iteration", "[case-34]") {
  Function f("growing");
  Param N = f.param("N");
  Computation row = f.computation("row", {range(i, N), range(j, i + 1)}, cast(i32, 10 * i + j));
  Computation ends = f.computation("ends", {range(i, N)}, row(i, 0) + row(i, i));
  ends.after(row, i);
  row.allocate_at(ends, i);
  row.store_in({j});
  Judged judged(f, {ends.buffer()});
  for (std::int64_t n : {0, 1, 9}) {
    const auto out = judged.check({n});
    for (std::int64_t x = 0; x < n; ++x) CHECK(out["ends"].integer({x}) == 21 * x);
  }
}

TEST_CASE("mttkrp over domains that begin at 1", "[case-35]") {
  Function f("mttkrp");
  Param I = f.param("I"), J = f.param("J"), K = f.param("K"), L = f.param("L");
  Var i1("i", 1, I + 1), j1("j", 1, J + 1), k1("k", 1, K + 1), l1("l", 1, L + 1);
  Input b = f.input("b", f64, {I, K, L}), c = f.input("c", f64, {K, J}),
        d = f.input("d", f64, {L, J});
  Computation t =
      f.computation("t", {i1, j1, k1}, sum(l1, b(i - 1, k - 1, l - 1) * d(l - 1, j - 1)));
  Computation a = f.computation("a", {i1, j1}, sum(k1, c(k - 1, j - 1) * t(i, j, k)));
  a.store_in({i - 1, j - 1});
  t.compute_at(a, k);
  Judged judged(f, {b.buffer(), c.buffer(), d.buffer(), a.buffer()});
  judged.check({3, 2, 4, 5});
  reference::Arrays given;
  const auto fill = [&](const std::string& name, const std::vector<double>& values) {
    std::size_t at = 0;
    given[name] = reference::filled(f.program(), {{"I", 2}, {"J", 2}, {"K", 2}, {"L", 2}}, name,
                                    [&](const reference::Point&) { return values[at++]; });
  };
  fill("b", {.1, .2, .3, .4, .5, .6, .7, .8});
  fill("c", {-.1, .2, -.3, .4});
  fill("d", {.1, -.2, .3, -.4});
  const auto out = judged.check({2, 2, 2, 2}, given);
  CHECK(out["a"].real({0, 0}) == Approx(-0.052));
  CHECK(out["a"].real({0, 1}) == Approx(-0.108));
  CHECK(out["a"].real({1, 0}) == Approx(-0.116));
  CHECK(out["a"].real({1, 1}) == Approx(-0.252));
}

TEST_CASE("two computations scheduled as one, and a third in their loops", "[case-39]") {
  Function f("block");
  Param N = f.param("N"), M = parameter_of_two(f, "M");
  const std::vector<Var> box{range(i, 3), range(j, N), range(k, M), range(l, 10)};
  Var j0("j0"), k0("k0"), j1("j1"), k1("k1");
  Input a = f.input("a", u32, {3, N, M, 10});
  Computation b = f.computation("b", box, a(i, j, k, l) * 2);
  Computation c = f.computation("c", box, b(i, j, k, l) * 3);
  Computation d = f.computation("d", {range(i, 3), range(j, N), range(k, 10)}, c(i, j, 1, k) * 3);
  c.after(b, l);  // from here on they share all loops
  b.parallelize(i).tile(j, k, 5, 5, j0, k0, j1, k1).vectorize(l, 4);
  d.parallelize(i);
  d.after(c, i);
  Judged judged(f, {a.buffer(), c.buffer(), d.buffer()});
  for (const auto& size : std::vector<std::vector<std::int64_t>>{{0, 2}, {4, 3}, {7, 11}})
    judged.check(size);
}

}  // namespace strata::test::storage_cases_test
