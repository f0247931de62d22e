// Updates, in sequence and inside common loops.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::updates_test {

using reference::Point;

namespace {

// A = L U in place, where L has a unit diagonal, without pivoting.
struct Factorisation {
  Function f{"lu"};
  Param N = f.param("N");
  Var k{"k", 0, N}, i{"i", Expr(k) + 1, N}, j{"j", Expr(k) + 1, N};
  Input in = f.input("in", f64, {N, N});
  Computation A =
      f.computation("A", {Var("x", 0, N), Var("y", 0, N)}, in(variable("x"), variable("y")));
  std::vector<Computation> steps;

  Factorisation() {
    f.loop(k, [&] {
      steps.push_back(A.update({k, i}, {i, k}, A(i, k) / A(k, k)));
      steps.push_back(A.update({k, i, j}, {i, j}, A(i, j) - A(i, k) * A(k, j)));
    });
    A.store_in(in.buffer(), {variable("x"), variable("y")});
  }

  // A strictly dominant diagonal keeps every pivot away from zero.
  reference::Arrays dominant(std::int64_t n) const {
    reference::Arrays given;
    given["in"] = reference::filled(f.program(), {{"N", n}}, "in", [](const Point& p) {
      return p[0] == p[1] ? 40.0 + double(p[0]) : double((3 * p[0] + 7 * p[1]) % 5) - 2.25;
    });
    return given;
  }
};

std::vector<std::vector<double>> plain_lu(const reference::Array& in, std::int64_t n) {
  const auto size = std::size_t(n);
  std::vector a(size, std::vector<double>(size));
  for (std::int64_t x = 0; x < n; ++x)
    for (std::int64_t y = 0; y < n; ++y) a[std::size_t(x)][std::size_t(y)] = in.real({x, y});
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t i = k + 1; i < size; ++i) {
      a[i][k] = a[i][k] / a[k][k];
      for (std::size_t j = k + 1; j < size; ++j) {
        const double product = a[i][k] * a[k][j];
        a[i][j] = a[i][j] - product;
      }
    }
  return a;
}

// The loops of the kernel.
std::string check_against_plain(Factorisation& lu,
                                const std::vector<std::int64_t>& sizes = {0, 1, 2, 5, 8}) {
  Judged judged(lu.f, {lu.in.buffer()});
  for (const std::int64_t n : sizes) {
    const auto given = lu.dominant(n);
    const auto out = judged.check({n}, given);
    const auto expected = plain_lu(given["in"], n);
    for (std::int64_t x = 0; x < n; ++x)
      for (std::int64_t y = 0; y < n; ++y)
        CHECK(out["in"].real({x, y}) == expected[std::size_t(x)][std::size_t(y)]);
  }
  return to_c_text(judged.tree());
}

}  // namespace

TEST_CASE("LU factorisation in place", "[updates]") {
  Factorisation lu;
  check_against_plain(lu);
}

TEST_CASE("LU factorisation, its inner loops scheduled", "[updates]") {
  Factorisation lu;
  lu.steps[1].vectorize(lu.j, 4);
  lu.steps[1].parallelize(lu.i);
  lu.steps[0].vectorize(lu.i, 4);
  check_against_plain(lu);
}

TEST_CASE("LU factorisation in blocks of steps, whose tiles stay in registers", "[updates]") {
  Factorisation lu;
  Computation column = lu.steps[0], update = lu.steps[1];
  Var k0("k0"), i0("i0"), i1("i1"), j0("j0"), j1("j1"), lane("lane");
  lu.f.together([&] {
    column.set_schedule("{ A_1[k, i] -> [1, floor(k/8), 0, k, 0, i, 0] }");
    update.set_schedule(
        "{ A_2[k, i, j] -> panel[1, floor(k/8), 0, k, 1, i, 0, j, 0] : j < 8*floor(k/8) + 8;"
        "  A_2[k, i, j] -> rows[1, floor(k/8), 1, k, 0, i, 0, j, 0] : i < 8*floor(k/8) + 8 <= j;"
        "  A_2[k, i, j] -> rest[1, floor(k/8), 2, k, 0, i, 0, j, 0] :"
        "    i >= 8*floor(k/8) + 8 and j >= 8*floor(k/8) + 8 }");
    Computation rest = update.piece("rest");
    rest.tile(lu.i, lu.j, 4, 8, i0, j0, i1, j1);
    rest.reorder({i0, j0, Var("t1")});
    rest.vectorize(j1, 4, j1, lane).separate(lane).parallelize(i0);
    rest.unroll(j1).separate(j1).unroll(i1).separate(i1);
  });
  const std::string loops = check_against_plain(lu, {0, 1, 7, 8, 9, 16, 21, 37});
  CAPTURE(loops);
  CHECK(loops.find("in_kept[") != std::string::npos);
}

TEST_CASE("LU factorisation: the loop over pivots stays as it is", "[updates]") {
  Factorisation lu;
  CHECK(refuses(lu.f, Code::E0202_dependence_carried, [&] { lu.steps[1].parallelize(lu.k); }));
  CHECK(refuses(lu.f, Code::E0201_dependence_reversed, [&] { lu.steps[1].reverse(lu.k); }));
  CHECK(refuses(lu.f, Code::E0201_dependence_reversed, [&] { lu.steps[1].distribute_loop(lu.k); }));
  CHECK(refuses(lu.f, Code::E0107_wrong_owners, [&] { lu.steps[1].interchange(lu.k, lu.i); }));
}

TEST_CASE("an update by a reduction", "[updates]") {
  Function f("by_sums");
  Param N = f.param("N");
  Var i("i", 0, N), k("k", 0, i);
  Input in = f.input("in", i32, {N});
  Computation X = f.computation("X", {i}, in(i) * 2);
  Computation S = X.update({i}, {i}, sum(k, in(k)*cast(i32, i)));
  Computation Y = f.computation("Y", {i}, X(i) + X(N - 1 - i));
  Y.vectorize(i, 4);
  Judged judged(f, {in.buffer(), X.buffer(), Y.buffer()});
  for (const std::int64_t n : {0, 1, 2, 5, 9}) judged.check({n});
}

TEST_CASE("an update of some elements, read before and after", "[updates]") {
  Function f("some");
  Param N = f.param("N");
  Var i("i", 0, 2 * N), h("h", 0, N);
  Input in = f.input("in", i32, {2 * N});
  Computation X = f.computation("X", {i}, in(i));
  Computation before = f.computation("before", {i}, X(2 * N - 1 - i));
  Computation odd = X.update({h}, {2 * h + 1}, X(2 * h) * 10);
  Computation after = f.computation("after", {i}, X(2 * N - 1 - i));
  X.store_in({i});
  CHECK(refuses(f, Code::E0301_value_overwritten, [&] { before.after(odd, root); }));
  odd.vectorize(h, 4);
  odd.reverse(Var("h"));
  before.parallelize(i);
  Judged judged(f, {in.buffer(), X.buffer(), before.buffer(), after.buffer()});
  for (const std::int64_t n : {0, 1, 3, 8}) judged.check({n});
}

TEST_CASE("the same element redefined by every iteration", "[updates]") {
  Function f("last_wins");
  Param N = f.param("N");
  Var i("i", 0, 1), k("k", 0, N);
  Input in = f.input("in", i32, {N});
  Computation X = f.computation("X", {i}, constant(i32, -1));
  Computation last = X.update({k}, {0}, in(k));
  X.store_in({i});
  CHECK(refuses(f, Code::E0303_race, [&] { last.parallelize(k); }));
  Judged judged(f, {in.buffer(), X.buffer()});
  for (const std::int64_t n : {0, 1, 5}) judged.check({n});
  last.reverse(k);
  const Refusal lost = refusal_of([&] { f.jit({in.buffer(), X.buffer()}); });
  CHECK(lost.code == Code::E0304_output_not_last);
}

TEST_CASE("commands on an updated array know its places before store_in says them", "[updates]") {
  Function f("shifted");
  Param N = f.param("N");
  Var i("i", 0, N), h("h", 0, N - 1);
  Input in = f.input("in", i32, {N});
  Computation X = f.computation("X", {i}, in(i));
  Computation u = X.update({h}, {h}, X(h + 1) * 2);
  // Reads the old values of X: no dependence, but X(h + 1) is redefined by the next iteration.
  CHECK(refuses(f, Code::E0301_value_overwritten, [&] { u.parallelize(h); }));
  CHECK(refuses(f, Code::E0301_value_overwritten, [&] { u.reverse(h); }));
  u.vectorize(h, 4);
  Judged judged(f, {in.buffer(), X.buffer()});
  for (const std::int64_t n : {0, 1, 2, 5, 9}) judged.check({n});
}

TEST_CASE("two updates of different elements need no order", "[updates]") {
  Function f("halves");
  Param N = f.param("N");
  Var i("i", 0, 2 * N), h("h", 0, N);
  Input in = f.input("in", i32, {2 * N});
  Computation X = f.computation("X", {i}, in(i));
  Computation even = X.update({h}, {2 * h}, X(2 * h) + 1);
  Computation odd = X.update({h}, {2 * h + 1}, X(2 * h + 1) * 3);
  odd.before(even, root);
  even.parallelize(h);
  odd.reverse(h);
  Judged judged(f, {in.buffer(), X.buffer()});
  for (const std::int64_t n : {0, 1, 4}) judged.check({n});
}

TEST_CASE("two arrays that read each other need a common loop", "[updates]") {
  Function f("leapfrog");
  Param T = f.param("T"), N = f.param("N");
  Var t("t", 0, T), i("i", 0, N);
  Input in = f.input("in", f32, {N});
  Computation E = f.declare("E", {t, i}, f32);
  Computation H = f.declare("H", {t, i}, f32);
  E.define(select(t > 0, H(t - 1, i), in(i)));
  CHECK(refuses(f, Code::E0206_no_legal_order, [&] { H.define(E(t, i) + 1.0f); }));
}

TEST_CASE("finite differences in time, inside f.loop", "[updates]") {
  Function f("leapfrog");
  Param T = f.param("T"), N = f.param("N");
  Var t("t", 0, T), i("i", 0, N);
  Input in = f.input("in", f32, {N});
  std::vector<Computation> c;
  f.loop(t, [&] {
    c.push_back(f.declare("E", {t, i}, f32));
    c.push_back(f.declare("H", {t, i}, f32));
  });
  Computation &E = c[0], &H = c[1];
  const Expr inside = t > 0 && i > 0 && i < N - 1;
  E.define(select(inside, E(t - 1, i) + 0.5f * (H(t - 1, i) - H(t - 1, i - 1)),
                  select(t > 0, E(t - 1, i), in(i))));
  H.define(select(inside, H(t - 1, i) + 0.5f * (E(t, i + 1) - E(t, i)),
                  select(t > 0, H(t - 1, i), in(i))));
  E.store_in({t % 2, i});
  CHECK(refuses(f, Code::E0301_value_overwritten, [&] { H.store_in(E.buffer(), {t % 2, i}); }));
  H.store_in({0 * t, i});
  E.vectorize(i, 4);
  H.parallelize(i);
  Judged judged(f, {in.buffer(), E.buffer(), H.buffer()});
  for (const auto& [steps, n] : {std::pair{0, 5}, {1, 4}, {2, 1}, {4, 9}, {5, 2}})
    judged.check({steps, n});
}

}  // namespace strata::test::updates_test
