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

}  // namespace strata::test::cache_test
