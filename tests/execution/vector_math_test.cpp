// Math functions of vectors in whole programs of the mode fast, compared with the interpreter.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"

namespace strata::test::vector_math_test {

namespace {

enum class Tail { automatic, separate, mask };

// Eight fast operations of at most 4 ulp each on values of about unit size.
Options fast_floats(Type type) {
  Options options;
  options.floats = Floats::fast;
  options.bound = type == f64 ? 1e-14 : type == f32 ? 5e-6 : 2e-2;
  return options;
}

void check_softmax(Type type, int lanes, Tail tail) {
  Function f("softmax");
  Param R = f.param("R"), N = f.param("N");
  Var i("i", 0, R), j("j", 0, N), k("k", 0, N), j0("j0"), lane("lane");
  Input x = f.input("x", type, {R, N});
  Computation e = f.computation("e", {i, j}, exp(x(i, j)));
  Computation total = f.computation("total", {i}, sum(k, e(i, k)));
  Computation y = f.computation("y", {i, j}, e(i, j) / total(i));
  total.compute_at(y, i);
  e.compute_at(y, i).vectorize(j, lanes, j0, lane);
  if (tail == Tail::separate) e.separate(lane);
  if (tail == Tail::mask) e.mask(lane);
  y.vectorize(j, lanes).parallelize(i);
  Judged judged(f, {x.buffer(), y.buffer()}, fast_floats(type));
  for (const std::int64_t size : {0, 1, 7, 16, 37}) judged.check({3, size});
}

}  // namespace

TEST_CASE("a softmax in vectors, with every kind of tail and number of lanes", "[vector_math]") {
  for (const Tail tail : {Tail::automatic, Tail::separate, Tail::mask})
    for (const int lanes : {4, 12, 16}) {
      CAPTURE(int(tail), lanes);
      check_softmax(f32, lanes, tail);
    }
  check_softmax(f64, 8, Tail::automatic);
  check_softmax(f16, 16, Tail::automatic);
}

TEST_CASE("math functions of vectors under conditions", "[vector_math]") {
  Function f("conditions");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input a = f.input("a", f32, {N}), b = f.input("b", f32, {N});
  Computation g =
      f.computation("g", {i}, 0.5f * a(i) * (1.0f + erf(a(i) * 0.70710678f)) + atan2(a(i), b(i)));
  Computation h =
      f.computation("h", {i}, select(i > 2, pow(abs(g(i - 3)) + 0.5f, b(i)), tanh(b(i))));
  h.update({i}, {i}, h(i) + sin(a(i))).where(b(i) > 0.0f).vectorize(i, 8);
  g.vectorize(i, 16);
  h.vectorize(i, 8);
  Judged judged(f, {a.buffer(), b.buffer(), g.buffer(), h.buffer()}, fast_floats(f32));
  for (const std::int64_t size : {1, 3, 16, 50}) judged.check({size});
}

}  // namespace strata::test::vector_math_test
