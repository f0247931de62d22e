// Stencils stored over their own input: legal ones, illegal ones, and their results.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::in_place_cases_test {

using reference::Point;

namespace {

const Var i("i", 1, 9), j("j", 1, 9), short_i("i", 1, 8), short_j("j", 1, 8);
const Var ti("ti"), tj("tj"), pi("pi"), pj("pj"), ni("ni"), nj("nj");

// S over A, a 10 x 10 array filled with 2.  value(at) makes the expression of a point;
// at(di, dj) is the content of A[i + di, j + dj] when S(i, j) runs.
struct Stencil {
  Function f{"stencil"};
  Input A = f.input("A", u8, {10, 10});
  Computation S;

  Stencil(const Var& x, const Var& y, const std::function<Expr(Stencil&)>& value)
      : S(f.declare("S", {x, y}, u8)), rows(x), columns(y) {
    S.define(value(*this));
    S.store_in(A.buffer(), {x, y});
  }

  Expr at(int di, int dj) const {
    const Expr x = rows + di, y = columns + dj;
    const bool earlier = di < 0 || (di == 0 && dj < 0);
    if (!earlier) return A(x, y);
    const Expr made = x >= rows.lower() && y >= columns.lower() && y < columns.upper();
    return select(made, S(x, y), A(x, y));
  }

  // The row after the run of the kernel, and the sum of all elements.
  std::pair<std::vector<std::int64_t>, std::int64_t> run(std::int64_t row) {
    Judged judged(f, {A.buffer()});
    judged.check({});
    reference::Arrays given;
    given["A"] = reference::filled(f.program(), {}, "A", [](const Point&) { return 2; });
    const auto out = judged.check({}, given);
    std::vector<std::int64_t> values;
    for (std::int64_t y = 0; y < 10; ++y) values.push_back(out["A"].integer({row, y}));
    std::int64_t total = 0;
    for (const Point& p : out["A"].elements()) total += out["A"].integer(p);
    return {values, total};
  }

  const Var rows, columns;
};

bool is_refused_as_carried(const Refusal& refusal) {
  return refusal.code == Code::E0202_dependence_carried || refusal.code == Code::E0303_race;
}

Stencil west_and_north() {
  return Stencil(i, j, [](Stencil& s) { return s.at(-1, 0) + s.at(0, -1); });
}
Stencil diagonal() {
  return Stencil(short_i, short_j, [](Stencil& s) { return s.at(-1, -1) + s.at(1, 1); });
}
Stencil both_diagonals() {
  return Stencil(i, short_j, [](Stencil& s) { return s.at(-1, -1) + s.at(-1, 1); });
}

const std::vector<std::int64_t> row_a{2, 18, 90, 74, 222, 14, 118, 70, 140, 2};
const std::vector<std::int64_t> row_b{2, 4, 6, 8, 10, 12, 14, 16, 2, 2};
const std::vector<std::int64_t> row_c{2, 156, 34, 110, 148, 110, 34, 156, 2, 2};

}  // namespace

TEST_CASE("west and north in place: as it stands, skewed, tiled", "[case-40a]") {
  {
    Stencil s = west_and_north();
    CHECK(s.run(8) == std::pair(row_a, std::int64_t(5628)));
  }
  {
    Stencil s = west_and_north();
    s.S.skew(i, j, 1, 1, ni, nj);
    CHECK(s.run(8) == std::pair(row_a, std::int64_t(5628)));
  }
  {
    Stencil s = west_and_north();
    s.S.tile(i, j, 4, 4, ti, tj, pi, pj);
    CHECK(s.run(8) == std::pair(row_a, std::int64_t(5628)));
  }
}

TEST_CASE("west and north in place: which loops may be parallel", "[case-40a]") {
  Stencil s = west_and_north();
  CHECK(is_refused_as_carried(refusal_of([&] { s.S.parallelize(i); })));
  CHECK(is_refused_as_carried(refusal_of([&] { s.S.parallelize(j); })));
  s.S.skew(i, j, 1, 1, ni, nj);
  CHECK(is_refused_as_carried(refusal_of([&] { s.S.parallelize(ni); })));
  s.S.parallelize(nj);
  CHECK(s.run(8) == std::pair(row_a, std::int64_t(5628)));
}

TEST_CASE("the diagonal in place: columns in parallel or as vectors", "[case-40b]") {
  {
    Stencil s = diagonal();
    CHECK(is_refused_as_carried(refusal_of([&] { s.S.parallelize(short_i); })));
    s.S.parallelize(short_j);
    CHECK(s.run(7) == std::pair(row_b, std::int64_t(480)));
  }
  {
    Stencil s = diagonal();
    s.S.vectorize(short_j, 4);
    CHECK(s.run(7) == std::pair(row_b, std::int64_t(480)));
  }
  {
    Stencil s = diagonal();
    s.S.skew(short_i, short_j, 1, -1, ni, nj);
    CHECK(is_refused_as_carried(refusal_of([&] { s.S.parallelize(nj); })));
    s.S.parallelize(ni);
    CHECK(s.run(7) == std::pair(row_b, std::int64_t(480)));
  }
}

TEST_CASE("both diagonals in place: skews", "[case-40c]") {
  {
    Stencil s = both_diagonals();
    s.S.skew(i, j, 2, 1, ni, nj);
    CHECK(s.run(8) == std::pair(row_c, std::int64_t(3208)));
  }
  {
    Stencil s = both_diagonals();
    CHECK(refuses(s.f, Code::E0201_dependence_reversed, [&] { s.S.skew(i, j, 1, 1, ni, nj); }));
    s.f.together([&] {
      s.S.skew(i, j, 1, 1, ni, nj);
      s.S.reverse(nj);
    });
    CHECK(s.run(8) == std::pair(row_c, std::int64_t(3208)));
  }
}

TEST_CASE("a dependence that runs backwards in j forbids tiles", "[case-40d]") {
  Stencil s(i, short_j, [](Stencil& at) { return at.at(-1, -1) + at.at(0, 0) + at.at(-1, 1); });
  CHECK(
      refuses(s.f, Code::E0201_dependence_reversed, [&] { s.S.tile(i, j, 4, 4, ti, tj, pi, pj); }));
  s.run(8);
}

TEST_CASE("three neighbours above in place: a skew, and then tiles", "[case-40e]") {
  const std::vector<std::int64_t> row{2, 70, 38, 222, 110, 110, 222, 38, 70, 2};
  Stencil s(i, j, [](Stencil& at) { return at.at(-1, -1) + at.at(-1, 1) + at.at(-1, 0); });
  CHECK(
      refuses(s.f, Code::E0201_dependence_reversed, [&] { s.S.tile(i, j, 4, 4, ti, tj, pi, pj); }));
  s.S.skew(i, j, 1, 0, 1, 1, ni, nj);
  s.S.tile(ni, nj, 4, 4, ti, tj, pi, pj);
  CHECK(s.run(8) == std::pair(row, std::int64_t(6056)));
}

namespace {

// One or two sweeps of the sum of four neighbours over A, in place; then 5 is added everywhere.
struct Sweeps {
  Function f{"sweeps"};
  Input A = f.input("A", u8, {10, 10});
  std::vector<Computation> sweep;
  Computation more;

  explicit Sweeps(int count, bool third_column = false) : more(first(third_column)) {
    sweep.push_back(more);
    if (count == 2) {
      sweep.push_back(f.declare("second", {short_i, short_j}, u8));
      sweep[1].define(at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1));
    }
    const Computation& last = sweep.back();
    more = f.computation("more", {short_i, short_j}, last(short_i, short_j) + 5);
    for (Computation* c : {&sweep.front(), &sweep.back(), &more})
      c->store_in(A.buffer(), {short_i, short_j});
  }

  // A[i + di, j + dj] when the last sweep defined so far runs at (i, j).
  Expr at(int di, int dj) const {
    const Expr x = short_i + di, y = short_j + dj;
    const bool earlier = di < 0 || (di == 0 && dj < 0);
    const Expr inside = x >= 1 && x < 8 && y >= 1 && y < 8;
    const Expr before = sweep.size() < 2 ? A(x, y) : select(inside, sweep[0](x, y), A(x, y));
    return earlier ? select(inside, sweep.back()(x, y), A(x, y)) : before;
  }

  Computation first(bool third_column) {
    Computation s = f.declare("first", {short_i, short_j}, u8);
    sweep.push_back(s);
    Expr sum = at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1);
    if (third_column) sum = sum + select(short_j > 3, s(short_i, 3), A(short_i, 3));
    s.define(sum);
    sweep.clear();
    return s;
  }

  std::pair<std::vector<std::int64_t>, std::int64_t> run() {
    Judged judged(f, {A.buffer()});
    reference::Arrays given;
    given["A"] = reference::filled(f.program(), {}, "A", [](const Point&) { return 2; });
    const auto out = judged.check({}, given);
    std::vector<std::int64_t> row;
    for (std::int64_t y = 0; y < 10; ++y) row.push_back(out["A"].integer({7, y}));
    std::int64_t total = 0;
    for (const Point& p : out["A"].elements()) total += out["A"].integer(p);
    return {row, total};
  }
};

const std::vector<std::int64_t> row_f{2, 49, 217, 209, 189, 145, 57, 113, 2, 2};
const std::vector<std::int64_t> row_g{2, 115, 77, 251, 41, 23, 93, 185, 2, 2};

}  // namespace

TEST_CASE("a sweep in place and 5 more, fused after a shift", "[case-40f]") {
  Sweeps s(1);
  CHECK(refuses(s.f, Code::E0301_value_overwritten, [&] { s.more.after(s.sweep[0], short_j); }));
  s.more.shift(short_i, 1);
  s.more.after(s.sweep[0], short_j);
  CHECK(s.run() == std::pair(row_f, std::int64_t(6363)));
}

TEST_CASE("two sweeps in place and 5 more, fused after shifts, and skewed", "[case-40g]") {
  Sweeps s(2);
  s.f.together([&] {
    s.sweep[1].shift(short_i, 1).shift(short_j, 1);
    s.more.shift(short_i, 2).shift(short_j, 2);
    s.sweep[1].after(s.sweep[0], short_j);
    s.more.after(s.sweep[1], short_j);
  });
  CHECK(s.run() == std::pair(row_g, std::int64_t(6507)));
  s.sweep[0].skew(short_i, short_j, 1, 1, ni, nj);
  s.sweep[0].parallelize(nj);
  CHECK(s.run() == std::pair(row_g, std::int64_t(6507)));
}

TEST_CASE("a sweep that reads a column of its row: only a shift of rows helps", "[case-40h]") {
  {
    Sweeps s(1, true);
    s.more.shift(short_j, 1);
    CHECK(refuses(s.f, Code::E0301_value_overwritten, [&] { s.more.after(s.sweep[0], short_j); }));
  }
  Sweeps s(1, true);
  s.more.shift(short_i, 1);
  s.more.after(s.sweep[0], short_j);
  CHECK(s.run() == std::pair(std::vector<std::int64_t>{2, 63, 31, 191, 95, 111, 47, 191, 2, 2},
                             std::int64_t(4925)));
}

TEST_CASE("a sum in parallel is refused", "[case-40i]") {
  Function f("total");
  Param N = f.param("N");
  Var k("k", 0, N);
  Input in = f.input("in", i32, {N});
  Computation s = f.computation("s", {}, sum(k, in(k)));
  CHECK(refuses(f, Code::E0207_reduction_concurrent, [&] { s.parallelize(k); }));
  CHECK(refuses(f, Code::E0207_reduction_concurrent, [&] { s.vectorize(k, 4); }));
  Judged(f, {in.buffer(), s.buffer()}).check({9});
}

}  // namespace strata::test::in_place_cases_test
