// peel, and commands given to pieces: kernels against plain loops.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"

namespace strata::test::peel_test {

TEST_CASE("a recurrence with its first or last iterations peeled", "[peel]") {
  for (const std::int64_t n : {1, 4, 20, -1, -3, -20}) {
    INFO("n = " << n);
    Function f("powers");
    Param N = f.param("N");
    Var i("i", 0, N);
    Computation x = f.declare("x", {i}, i64);
    x.define(select(i > 0, x(i - 1) * 3, 1) + i);
    x.peel(i, n);
    x.piece("rest").unroll(i, 2);
    Judged powers(f, {x.buffer()});
    for (const std::int64_t size : {0, 1, 2, 5, 13}) {
      const reference::Arrays made = powers.check({size});
      std::int64_t value = 1;
      for (std::int64_t at = 0; at < size; ++at) {
        value = (at > 0 ? value * 3 : 1) + at;
        CHECK(made["x"].integer({at}) == value);
      }
    }
  }
}

TEST_CASE("sums with contributions and results peeled", "[peel]") {
  for (const std::int64_t n : {2, 9, -2, -9}) {
    INFO("n = " << n);
    Function f("rows");
    Param N = f.param("N"), M = f.param("M");
    Var i("i", 0, N), k("k", 0, M);
    Computation in = f.computation("in", {i, k}, cast(i32, i * 7 + k * k));
    Computation c = f.computation("c", {i}, sum(k, in(i, k)));
    const std::string part = n > 0 ? "head" : "tail";
    c.peel(k, n);
    c.piece("rest").peel(i, n);
    c.piece("rest").parallelize(i);
    c.piece(part).unroll(n > 0 ? "k_head" : "k_tail", 2);
    Judged rows(f, {c.buffer()});
    for (const std::int64_t rows_there : {0, 1, 3, 11})
      for (const std::int64_t columns : {0, 1, 2, 6, 12}) {
        const reference::Arrays made = rows.check({rows_there, columns});
        for (std::int64_t row = 0; row < rows_there; ++row) {
          std::int64_t total = 0;
          for (std::int64_t at = 0; at < columns; ++at) total += row * 7 + at * at;
          CHECK(made["c"].integer({row}) == total);
        }
      }
  }
}

TEST_CASE("a loop whose iterations have an accumulator for themselves, peeled", "[peel]") {
  for (const std::int64_t n : {1, 3, -2}) {
    INFO("n = " << n);
    Function f("rows");
    Param N = f.param("N"), M = f.param("M");
    Var i("i", 0, N), j("j", 0, 8), k("k", 0, M), x("x"), y("y");
    Computation in = f.computation("in", {i, k}, cast(i32, i * 7 + k * k));
    Computation c = f.computation("c", {i, j}, sum(k, in(i, k) * cast(i32, j + 1)));
    c.interchange(j, k);
    Computation made = c.copy_at(i, "made", {x, y});
    made.peel(i, n);
    made.piece("rest").vectorize(j, 4);
    c.piece("rest").vectorize(y, 4);
    Judged rows(f, {c.buffer()});
    for (const std::int64_t rows_there : {0, 1, 2, 7})
      for (const std::int64_t columns : {0, 1, 5}) {
        const reference::Arrays arrays = rows.check({rows_there, columns});
        for (std::int64_t row = 0; row < rows_there; ++row)
          for (std::int64_t column = 0; column < 8; ++column) {
            std::int64_t total = 0;
            for (std::int64_t at = 0; at < columns; ++at)
              total += (row * 7 + at * at) * (column + 1);
            CHECK(arrays["c"].integer({row, column}) == total);
          }
      }
  }
}

TEST_CASE("computations in one loop, with values computed again, peeled", "[peel]") {
  for (const std::int64_t n : {1, 3, -1, -30}) {
    INFO("n = " << n);
    Function f("smooth");
    Param N = f.param("N");
    Var h("h", 0, N + 2), i("i", 0, N);
    Computation p = f.computation("p", {h}, cast(i32, h * h - 3));
    Computation q = f.computation("q", {i}, p(i) + 2 * p(i + 1) + p(i + 2));
    Computation r = f.computation("r", {i}, q(i) * 5);
    r.after(q, i);
    p.compute_at(q, i);
    q.peel(i, n, "edge");
    q.piece("rest").parallelize(i);
    if (n > 0) r.piece("edge").before(q.piece("rest"));
    Judged smooth(f, {r.buffer()});
    for (const std::int64_t size : {0, 1, 2, 4, 17}) {
      const reference::Arrays arrays = smooth.check({size});
      for (std::int64_t at = 0; at < size; ++at) {
        const auto value = [](std::int64_t x) { return x * x - 3; };
        CHECK(arrays["r"].integer({at}) == 5 * (value(at) + 2 * value(at + 1) + value(at + 2)));
      }
    }
  }
}

TEST_CASE("a piece that never runs anything", "[peel]") {
  for (const std::int64_t n : {3, 20, -20}) {
    INFO("n = " << n);
    Function f("fixed");
    Param M = f.param("M");
    Var i("i", 0, 3), k("k", 0, M);
    Computation p = f.computation("p", {i}, sum(k, cast(i32, i + k)));
    Computation q = f.computation("q", {i}, p(i) * 2);
    p.compute_at(q, i);
    q.peel(i, n);
    Judged fixed(f, {q.buffer()});
    for (const std::int64_t columns : {0, 1, 4}) {
      const reference::Arrays arrays = fixed.check({columns});
      for (std::int64_t row = 0; row < 3; ++row)
        CHECK(arrays["q"].integer({row}) == 2 * (row * columns + columns * (columns - 1) / 2));
    }
  }
}

TEST_CASE("pieces of a map, each with its own tags", "[pieces]") {
  Function f("table");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M);
  Computation s = f.computation("s", {i, j}, cast(i32, i * 100 + j));
  s.set_schedule(
      "[M] -> { s[i, j] -> wide[0, i, 0, j, 0] : j < 8*floor(M/8); "
      "s[i, j] -> edge[1, j, 0, i, 0] : j >= 8*floor(M/8) }");
  s.piece("wide").vectorize(j, 8);
  s.piece("edge").parallelize(j).split(i, 3);
  Judged table(f, {s.buffer()});
  for (const std::int64_t rows : {0, 1, 7})
    for (const std::int64_t columns : {0, 3, 8, 21}) {
      const reference::Arrays made = table.check({rows, columns});
      for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
          CHECK(made["s"].integer({row, column}) == row * 100 + column);
    }
}

}  // namespace strata::test::peel_test
