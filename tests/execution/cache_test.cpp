// cache_at: copies, packed if store_in says so.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"
#include "tests/execution/product.h"

namespace strata::test::cache_test {

namespace {

struct Tiled : Product {
  Var i0{"i0"}, j0{"j0"}, i1{"i1"}, j1{"j1"}, k0{"k0"}, k1{"k1"}, x{"x"}, y{"y"};
};

const std::vector<std::vector<std::int64_t>> sizes{{0, 3, 2}, {1, 1, 1},  {4, 8, 3},
                                                   {5, 9, 7}, {3, 17, 8}, {9, 7, 12}};

}  // namespace

TEST_CASE("a product reads packed panels", "[cache_at]") {
  Tiled p;
  p.c.tile(p.i, p.j, 4, 8, p.i0, p.j0, p.i1, p.j1);
  p.c.split(p.k, 4, p.k0, p.k1);
  p.c.interchange(p.j1, p.k0).interchange(p.i1, p.k0);
  p.c.interchange(p.j1, p.k1).interchange(p.i1, p.k1);
  Computation panel = p.c.cache_at(p.k0, p.b, "panel", {p.x, p.y});
  panel.store_in({p.y, p.x});
  panel.vectorize(p.y, 4);
  Computation strip = p.c.cache_at(p.i0, p.a, "strip", {p.x, p.y});
  strip.store_in({p.y, p.x % 4});
  p.c.vectorize(p.j1).unroll(p.i1).parallelize(p.i0);
  Judged judged(p.f, p.arguments());
  for (const auto& size : sizes) judged.check(size);
}

TEST_CASE("a computation's values are copied for one of its readers", "[cache_at]") {
  Function f("copies");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), x("x"), y("y");
  Input in = f.input("in", i32, {N, N});
  Computation s = f.computation("s", {i, j}, in(i, j) * 2);
  Computation t = f.computation("t", {i, j}, s(j, i) + 1);
  Computation u = f.computation("u", {i, j}, s(i, j) - 1);
  t.tile(i, j, 3, 4);
  Computation copy = t.cache_at(Var("j"), s, "copy", {x, y});
  copy.store_in({y, x});
  Judged judged(f, {in.buffer(), t.buffer(), u.buffer()});
  for (std::int64_t n : {0, 1, 3, 4, 5, 13}) judged.check({n});
}

TEST_CASE("values are copied in a loop that makes them, too", "[cache_at]") {
  Function f("rows");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), k("k", 0, i), x("x"), y("y");
  Input in = f.input("in", i32, {N, N});
  Computation s = f.computation("start", {j}, in(0, j)), t = s;
  f.loop(i, [&] {
    s = f.computation("s", {i, j}, sum(k, in(i, k) * in(k, j)));
    t = f.computation("t", {i, j}, s(i, N - 1 - j) + s(max(i - 1, 0), j));
  });
  t.cache_at(i, s, "copy", {x, y});
  Judged judged(f, {in.buffer(), t.buffer()});
  for (std::int64_t n : {0, 1, 2, 7}) judged.check({n});
}

TEST_CASE("an update reads a packed copy of the factors of each step", "[cache_at]") {
  Function f("symmetric");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, i + 1), k("k", 0, N), below("i", k + 1, N),
      right("j", k + 1, below + 1), s("s"), y("y"), x("x");
  Input in = f.input("in", i32, {N, N});
  Computation a = f.computation("a", {i, j}, in(i, j)), u = a;
  f.loop(k, [&] {
    u = a.update({k, below, right}, {below, right}, a(below, right) - a(below, k) * a(right, k));
  });
  f.together([&] {
    Computation factor = u.cache_at(k, a, "factor", {s, y, x});
    factor.store_in({y / 4, s % 4, y % 4}).allocate_at(root);
    factor.set_schedule("{ factor[s, y, x] -> [1, floor(s/4), 0, s mod 4, 0, y, 0, x, 0] }");
    u.set_schedule(
        "{ a_1[k, i, j] -> panel[1, floor(k/4), 0, k mod 4, 1, i, 0, j, 0] :"
        "    j < 4*floor(k/4) + 4;"
        "  a_1[k, i, j] -> rest[1, floor(k/4), 1, i, 0, j, 0, k mod 4, 0] :"
        "    j >= 4*floor(k/4) + 4 }");
    u.piece("rest").vectorize(j, 4).parallelize(i);
  });
  Judged judged(f, {in.buffer(), a.buffer()});
  for (std::int64_t n : {0, 1, 4, 5, 8, 9, 19}) {
    const auto out = judged.check({n});
    const auto size = std::size_t(n);
    std::vector plain(size, std::vector<std::uint32_t>(size));
    for (std::int64_t r = 0; r < n; ++r)
      for (std::int64_t c = 0; c <= r; ++c)
        plain[std::size_t(r)][std::size_t(c)] = std::uint32_t(out["in"].integer({r, c}));
    for (std::size_t step = 0; step < size; ++step)
      for (std::size_t r = step + 1; r < size; ++r)
        for (std::size_t c = step + 1; c <= r; ++c) plain[r][c] -= plain[r][step] * plain[c][step];
    for (std::int64_t r = 0; r < n; ++r)
      for (std::int64_t c = 0; c <= r; ++c)
        CHECK(std::uint32_t(out["a"].integer({r, c})) == plain[std::size_t(r)][std::size_t(c)]);
  }
}

}  // namespace strata::test::cache_test
