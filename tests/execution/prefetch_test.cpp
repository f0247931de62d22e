// Prefetches change no result: kernels with and without them compute the same bits.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include <functional>

#include "tests/execution/harness.h"

namespace strata::test::prefetch_test {

namespace {

// c(i, j) = sum over k of a(i, k) b(k, j), in floats: another order would give other results.
struct FloatProduct {
  Function f{"product"};
  Param N = f.param("N"), M = f.param("M"), K = f.param("K");
  Var i{"i", 0, N}, j{"j", 0, M}, k{"k", 0, K};
  Var i0{"i0"}, j0{"j0"}, k0{"k0"}, i1{"i1"}, j1{"j1"}, k1{"k1"}, x{"x"}, y{"y"}, lane{"lane"};
  Input a = f.input("a", f32, {N, K}), b = f.input("b", f32, {K, M});
  Computation c = f.computation("c", {i, j}, sum(k, a(i, k) * b(k, j)));

  std::vector<Buffer> arguments() const { return {a.buffer(), b.buffer(), c.buffer()}; }
};

const std::vector<std::vector<std::int64_t>> sizes{{0, 3, 2},  {1, 1, 1},  {4, 8, 3}, {5, 9, 7},
                                                   {3, 17, 8}, {9, 7, 12}, {8, 33, 9}};

using Schedule = std::function<void(FloatProduct&, bool prefetched)>;

void require_same_bits(const Schedule& schedule) {
  FloatProduct with, without;
  schedule(with, true);
  schedule(without, false);
  Judged a(with.f, with.arguments()), b(without.f, without.arguments());
  CHECK(to_c_text(a.tree()).find("prefetch") != std::string::npos);
  CHECK(to_c_text(b.tree()).find("prefetch") == std::string::npos);
  for (const auto& size : sizes) {
    CAPTURE(size);
    CHECK(reference::first_difference(b.check(size)["c"], a.check(size)["c"]) == "");
  }
}

}  // namespace

TEST_CASE("a product prefetches its operands", "[prefetch]") {
  require_same_bits([](FloatProduct& p, bool prefetched) {
    p.c.tile(p.i, p.j, 4, 8, p.i0, p.j0, p.i1, p.j1);
    p.c.interchange(p.j1, p.k).interchange(p.i1, p.k);
    p.c.vectorize(p.j1).unroll(p.i1).parallelize(p.i0);
    if (prefetched) p.c.prefetch(p.k, p.b, 4).prefetch(p.k, p.a, 16).prefetch(p.i0, p.a, 1);
  });
}

TEST_CASE("a product prefetches what it packs, and the panels", "[prefetch]") {
  require_same_bits([](FloatProduct& p, bool prefetched) {
    p.c.tile(p.i, p.j, 4, 8, p.i0, p.j0, p.i1, p.j1).split(p.k, 4, p.k0, p.k1);
    p.c.interchange(p.j1, p.k0).interchange(p.i1, p.k0);
    p.c.interchange(p.j1, p.k1).interchange(p.i1, p.k1);
    Computation panel = p.c.cache_at(p.j0, p.b, "panel", {p.x, p.y}, Memory::heap);
    panel.store_in({p.y, p.x});
    p.c.vectorize(p.j1);
    if (!prefetched) return;
    p.c.prefetch(p.k1, panel, 1).prefetch(p.k0, p.a, 1);
    panel.prefetch(p.j0, p.b, 2);
  });
}

TEST_CASE("prefetches of large boxes, and further than there is", "[prefetch]") {
  require_same_bits([](FloatProduct& p, bool prefetched) {
    if (prefetched) p.c.prefetch(p.i, p.a, 1).prefetch(p.i, p.b, 1).prefetch(p.j, p.b, 999'999'999);
  });
}

TEST_CASE("every order of loops prefetches the same values", "[prefetch]") {
  Function f("sweep");
  Param N = f.param("N"), T = f.param("T");
  Var i("i", 0, N), j("j", 0, N), i0("i0"), i1("i1");
  Input in = f.input("in", f64, {N, N});
  Computation s = f.computation("s", {i, j}, in(j, i) + select(j > 0, in(j - 1, i), 0.0));
  Computation t = f.computation("t", {i, j}, s(i, j) * select(i > 0, s(i - 1, j), 1.0));
  s.split(i, T, i0, i1).prefetch(i1, in, 3);
  t.reverse(i).skew(i, j, 1, 1).prefetch(j, s, 2).prefetch(i, s, 1);
  Judged judged(f, {in.buffer(), t.buffer()});
  for (std::int64_t n : {0, 1, 2, 3, 7, 12})
    for (std::int64_t size : {1, 3, 5}) judged.check({n, size});
}

TEST_CASE("what an update reads is prefetched", "[prefetch]") {
  Function f("update");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Input in = f.input("in", i32, {N, N});
  Computation s = f.computation("s", {i, j}, in(i, j) + 1);
  Computation u = s.update({i, j}, {j, i}, s(j, i) * 2 + in(i, j));
  u.prefetch(i, s, 1).prefetch(j, in, 5);
  Judged judged(f, {in.buffer(), s.buffer()});
  for (std::int64_t n : {0, 1, 5, 9}) judged.check({n});
}

}  // namespace strata::test::prefetch_test
