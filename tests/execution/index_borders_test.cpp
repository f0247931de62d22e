// Clamped, mirrored and wrapped indices in vectors, at sizes around those of the stencil and of the
// vectors.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"

namespace strata::test::index_borders_test {

namespace {

enum class Ends { clamped, mirrored, wrapped, zero };

// in(y, x) of an N x M input whose border is continued.
Expr continued(const Input& in, const Expr& y, const Expr& x, const Param& n, const Param& m,
               Ends ends) {
  const auto mirror = [](const Expr& e, const Expr& size) {
    return size - 1 - abs(size - 1 - abs(e));
  };
  const auto wrap = [](const Expr& e, const Expr& size) {
    return select(e < 0, e + size, select(e >= size, e - size, e));
  };
  switch (ends) {
    case Ends::clamped: return in(clamp(y, 0, n - 1), clamp(x, 0, m - 1));
    case Ends::mirrored: return in(mirror(y, n), mirror(x, m));
    case Ends::wrapped: return in(wrap(y, n), wrap(x, m));
    case Ends::zero:
      return select(y >= 0 && y < n && x >= 0 && x < m, in(clamp(y, 0, n - 1), clamp(x, 0, m - 1)),
                    constant(i32, 0));
  }
  return {};
}

}  // namespace

TEST_CASE("five by five neighbours with every kind of border", "[borders][index_borders]") {
  for (const Ends ends : {Ends::clamped, Ends::mirrored, Ends::wrapped, Ends::zero})
    for (const bool tiled : {false, true}) {
      INFO("ends " << int(ends) << ", tiled " << tiled);
      const bool reaches = ends == Ends::mirrored || ends == Ends::wrapped;
      Function f("neighbours");
      Param N = f.param("N"), M = f.param("M");
      f.assume(N >= (reaches ? 3 : 1) && M >= (reaches ? 3 : 0));
      Var y("y", 0, N), x("x", 0, M), y0("y0"), x0("x0"), y1("y1"), x1("x1");
      Input in = f.input("in", i32, {N, M});
      Expr sum = in(y, x) * 25;
      for (int dy : {-2, 0, 1})
        for (int dx : {-2, -1, 2})
          sum = sum - continued(in, y + dy, x + dx, N, M, ends) * (3 * dy + dx);
      Computation s = f.computation("s", {y, x}, sum);
      if (tiled) {
        s.tile(y, x, 3, 8, y0, x0, y1, x1);
        s.parallelize(y0);
        s.unroll(y1).vectorize(x1);
      } else {
        s.vectorize(x, 8);
      }
      Judged neighbours(f, {in.buffer(), s.buffer()});
      for (const std::int64_t m : {0, 1, 2, 3, 7, 8, 9, 10, 15, 16, 17, 18, 19, 25, 26, 34, 43})
        for (const std::int64_t n : {1, 2, 3, 7})
          if (!reaches || (n >= 3 && m >= 3)) neighbours.check({n, m});
    }
}

TEST_CASE("a clamped stage computed where it is read", "[borders][index_borders]") {
  Function f("two_stages");
  Param N = f.param("N"), M = f.param("M");
  f.assume(N >= 1);
  Var y("y", 0, N), x("x", 0, M), i("i", -1, N + 1), y0("y0"), x0("x0"), y1("y1"), x1("x1");
  Input in = f.input("in", i32, {N, M});
  const auto at = [&](int tap) { return in(clamp(i, 0, N - 1), clamp(x + tap, 0, M - 1)); };
  Computation a = f.computation("a", {i, x}, at(-1) + 2 * at(0) - at(2));
  Computation s = f.computation("s", {y, x}, a(y - 1, x) - a(y, x) * 3 + a(y + 1, x));
  s.tile(y, x, 2, 8, y0, x0, y1, x1);
  a.compute_at(s, x0);
  a.unroll(i).vectorize(x);
  s.unroll(y1).vectorize(x1);
  Judged stages(f, {in.buffer(), s.buffer()});
  for (const std::int64_t m : {0, 1, 2, 7, 8, 9, 10, 11, 16, 17, 18, 19, 33})
    for (const std::int64_t n : {1, 2, 3, 5}) stages.check({n, m});
}

TEST_CASE("a clamped filter whose taps are loops", "[borders][index_borders]") {
  for (const bool outside : {false, true}) {
    INFO("taps outside of vectors: " << outside);
    Function f("filter");
    Param M = f.param("M");
    Var x("x", 0, M), k("k", 0, 5);
    Input in = f.input("in", i32, {M}), w = f.input("w", i32, {5});
    Computation s = f.computation("s", {x}, sum(k, in(clamp(x + k - 2, 0, M - 1)) * w(k)));
    Var x0("x0"), x1("x1");
    s.split(x, 8, x0, x1);
    if (outside) s.interchange(x1, k);
    s.vectorize(x1);
    Judged filter(f, {in.buffer(), w.buffer(), s.buffer()});
    for (const std::int64_t m : {0, 1, 2, 7, 8, 9, 10, 15, 16, 17, 18, 26, 35}) filter.check({m});
  }
}

}  // namespace strata::test::index_borders_test
