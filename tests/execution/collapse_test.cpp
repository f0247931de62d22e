// collapse: kernels against plain loops.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"

namespace strata::test::collapse_execution_test {

TEST_CASE("few rows of constant length on all cores, in vectors", "[collapse]") {
  for (const std::int64_t columns : {0, 1, 3, 16, 37}) {
    INFO("columns = " << columns);
    Function f("scaled");
    Param N = f.param("N");
    Var i("i", 0, N), j("j", -2, columns - 2), c("c"), lane("lane");
    Computation s = f.computation("s", {i, j}, cast(i32, i * 100 + j));
    s.store_in({i, j + 2});
    s.collapse(i, j, c).vectorize(c, 4, c, lane).parallelize(c);
    Judged scaled(f, {s.buffer()});
    for (const std::int64_t n : {0, 1, 2, 5}) {
      const reference::Arrays made = scaled.check({n});
      for (std::int64_t row = 0; row < n; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
          CHECK(made["s"].integer({row, column}) == row * 100 + column - 2);
    }
  }
}

TEST_CASE("a sum and a triangle whose loops are collapsed", "[collapse]") {
  Function f("sums");
  Param N = f.param("N");
  Var i("i", 0, N), k("k", 0, 5), a("a", 0, 6), b("b", 0, a);
  Input in = f.input("in", i32, {N, 5});
  Computation r = f.computation("r", {i}, sum(k, in(i, k)));
  Computation t = f.computation("t", {a, b}, cast(i32, a * 10 + b));
  r.collapse(i, k);
  t.collapse(a, b).parallelize(a);
  Judged sums(f, {in.buffer(), r.buffer(), t.buffer()});
  for (const std::int64_t n : {0, 1, 7}) {
    const reference::Arrays made = sums.check({n});
    for (std::int64_t x = 0; x < 6; ++x)
      for (std::int64_t y = 0; y < x; ++y) CHECK(made["t"].integer({x, y}) == x * 10 + y);
  }
}

TEST_CASE("the history of a collapse replays", "[collapse]") {
  Function f("rows"), g("rows");
  for (Function* function : {&f, &g}) {
    Param N = function->param("N");
    Var i("i", 0, N), j("j", 0, 4);
    Computation s = function->computation("s", {i, j}, i + j);
    if (function == &f) s.collapse(i, j, "c").parallelize("c");
  }
  g.replay("collapse(s.i, s.j, c)\nparallelize(s.c)");
  CHECK(f.text() == g.text());
  CHECK(f.history_source() == "s.collapse(\"i\", \"j\", \"c\");\ns.parallelize(\"c\");\n");
}

}  // namespace strata::test::collapse_execution_test
