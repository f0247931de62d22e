// Computations placed in loops that are then moved and transformed.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"

namespace strata::test::moved_nests_test {

namespace {

const Var i("i"), j("j"), io("io"), jo("jo"), ii("ii"), ji("ji");

// a(i, j) = 2 in(i, j);  b(i, j) = a(i, j) + a(i + 1, j);  c(i, j) = b(i, j) - b(i, j + 2)
struct Stages {
  Function f{"stages"};
  Param N = f.param("N"), M = f.param("M");
  Var all{"i", 0, N}, some{"i", 0, N - 1}, wide{"j", 0, M}, narrow{"j", 0, M - 2};
  Input in = f.input("in", i32, {N, M});
  Computation a = f.computation("a", {all, wide}, in(i, j) * 2);
  Computation b = f.computation("b", {some, wide}, a(i, j) + a(i + 1, j));
  Computation c = f.computation("c", {some, narrow}, b(i, j) - b(i, j + 2));
  std::vector<Buffer> arguments() const { return {in.buffer(), c.buffer()}; }

  void check() {
    Judged judged(f, arguments());
    for (const auto& size : std::vector<std::vector<std::int64_t>>{
             {0, 0}, {1, 5}, {2, 2}, {2, 3}, {5, 9}, {9, 4}, {13, 19}})
      judged.check(size);
  }
};

}  // namespace

TEST_CASE("a chain that is placed from its beginning", "[compute_at]") {
  Stages s;
  s.a.compute_at(s.b, i);
  s.c.tile(i, j, 4, 8, io, jo, ii, ji);
  s.b.compute_at(s.c, jo);
  s.c.parallelize(io).vectorize(ji);
  s.check();
}

TEST_CASE("compute_at at one loop after another", "[compute_at]") {
  Stages s;
  s.c.tile(i, j, 4, 8, io, jo, ii, ji);
  s.b.compute_at(s.c, io);
  s.a.compute_at(s.b, i);
  s.a.vectorize(j, 4);
  for (const Var& loop : {jo, ii, ji, io}) {
    s.b.compute_at(s.c, loop);
    s.check();
  }
  s.b.compute_at(root);
  s.check();
  s.a.compute_at(root);
  s.check();
}

TEST_CASE("a computation that keeps company takes along what is computed for it alone",
          "[compute_at]") {
  Function f("company");
  Param N = f.param("N"), M = f.param("M");
  Var rows("i", 0, N), columns("j", 0, M), few("j", 0, M - 1);
  Input in = f.input("in", i32, {N, M});
  Computation p = f.computation("p", {rows, columns}, in(i, j) * 3);
  Computation q = f.computation("q", {rows, few}, p(i, j) + p(i, j + 1));
  Computation r = f.computation("r", {rows, columns}, in(i, j) - 1);
  p.compute_at(q, i);
  r.after(q, i);
  p.vectorize(j, 4);
  q.after(r, i);
  r.parallelize(i);
  Judged judged(f, {in.buffer(), q.buffer(), r.buffer()});
  for (const auto& size : std::vector<std::vector<std::int64_t>>{{0, 3}, {1, 1}, {4, 2}, {7, 13}})
    judged.check(size);
}

}  // namespace strata::test::moved_nests_test
