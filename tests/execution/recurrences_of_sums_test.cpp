// Reductions that read earlier results of the computation that contains them.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include <algorithm>
#include <map>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::recurrences_of_sums_test {

using reference::Point;

namespace {

using Vector = std::vector<double>;

// x(i) = b(i) - sum of L(i, j) x(j) over j < i, computed by a plain loop that forms the sum first.
Vector solved(const reference::Array& l, const reference::Array& b, std::int64_t n) {
  Vector x;
  for (std::int64_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < i; ++j) {
      const double product = l.real({i, j}) * x[std::size_t(j)];
      sum = sum + product;
    }
    x.push_back(b.real({i}) - sum);
  }
  return x;
}

// L x = b with ones on the diagonal of L, in the natural form.
struct Triangular {
  Function f{"solve"};
  Param N = f.param("N");
  Var i{"i", 0, N}, j{"j", 0, i};
  Input L = f.input("L", f64, {N, N}), b = f.input("b", f64, {N});
  Computation x = f.declare("x", {i}, f64);

  Triangular() { x.define(b(i) - sum(j, L(i, j) * x(j))); }
};

// The same with a named sum, which can be scheduled separately.
struct InTwo {
  Function f{"solve"};
  Param N = f.param("N");
  Var i{"i", 0, N}, j{"j", 0, i}, j0{"j0"}, j1{"j1"};
  Input L = f.input("L", f64, {N, N}), b = f.input("b", f64, {N});
  std::vector<Computation> c;

  InTwo() {
    f.loop(i, [&] {
      c.push_back(f.declare("s", {i}, f64));
      c.push_back(f.declare("x", {i}, f64));
    });
    c[0].define(sum(j, L(i, j) * c[1](j)));
    c[1].define(b(i) - c[0](i));
  }
};

// Small integers, whose sums are exact in any order.
reference::Arrays whole_numbers(const Function& f, std::int64_t n) {
  reference::Arrays given;
  given["L"] = reference::filled(f.program(), {{"N", n}}, "L", [](const Point& p) {
    return double((2 * p[0] + 3 * p[1]) % 3) - 1;
  });
  given["b"] = reference::filled(f.program(), {{"N", n}}, "b",
                                 [](const Point& p) { return double((5 * p[0] + 2) % 7); });
  return given;
}

template <typename Solver>
void check_solution(const Solver& s, const Buffer& x) {
  Judged judged(s.f, {s.L.buffer(), s.b.buffer(), x});
  for (const std::int64_t n : {0, 1, 2, 5, 9}) {
    const auto given = whole_numbers(s.f, n);
    const auto out = judged.check({n}, given);
    const Vector expected = solved(given["L"], given["b"], n);
    for (std::int64_t i = 0; i < n; ++i) CHECK(out["x"].real({i}) == expected[std::size_t(i)]);
  }
}

}  // namespace

TEST_CASE("a triangular solve, written as it is", "[recurrences]") {
  Triangular s;
  check_solution(s, s.x.buffer());
}

TEST_CASE("a triangular solve in tiles of rows, and in place", "[recurrences]") {
  Triangular s;
  s.x.split(s.i, 4, Var("i0"), Var("i1"));
  s.x.store_in(s.b.buffer(), {s.i});
  Judged judged(s.f, {s.L.buffer(), s.b.buffer()});
  for (const std::int64_t n : {0, 1, 6}) {
    const auto given = whole_numbers(s.f, n);
    const auto out = judged.check({n}, given);
    const Vector expected = solved(given["L"], given["b"], n);
    for (std::int64_t i = 0; i < n; ++i) CHECK(out["b"].real({i}) == expected[std::size_t(i)]);
  }
}

TEST_CASE("a triangular solve whose rows wait for each other", "[recurrences]") {
  Triangular s;
  CHECK(refuses(s.f, Code::E0201_dependence_reversed, [&] { s.x.reverse(s.i); }));
  CHECK(refuses(s.f, Code::E0201_dependence_reversed, [&] { s.x.distribute_loop(s.i); }));
  const Refusal carried = refusal_of([&] { s.x.parallelize(s.i); });
  CHECK(carried.code == Code::E0202_dependence_carried);
  REQUIRE(carried.witness);
  CHECK(carried.witness->parameters == "N = 2");
  CHECK(carried.witness->executions[0].instance == "x[0]");
  CHECK(carried.witness->executions[1].instance == "x_sum[1, 0]");
}

TEST_CASE("a triangular solve, its sum in lanes", "[recurrences]") {
  InTwo s;
  CHECK(refuses(s.f, Code::E0207_reduction_concurrent, [&] { s.c[0].parallelize(s.j); }));
  s.c[0].split(s.j, 4, s.j0, s.j1);
  s.c[0].rfactor(s.j1, "part").vectorize(s.j1, 4);
  check_solution(s, s.c[1].buffer());
}

TEST_CASE("a sum that reads its own results", "[recurrences]") {
  Function f("compound");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, Expr(i) + 1);
  Input in = f.input("in", i32, {N});
  Computation y = f.declare("y", {i}, i32);
  y.define(sum(j, select(j < i, y(j) * in(j), in(i))));
  CHECK(refuses(f, Code::E0202_dependence_carried, [&] { y.parallelize(i); }));
  y.split(i, 3, Var("i0"), Var("i1"));
  Judged judged(f, {in.buffer(), y.buffer()});
  for (const std::int64_t n : {0, 1, 2, 7}) {
    reference::Arrays given;
    given["in"] = reference::filled(f.program(), {{"N", n}}, "in",
                                    [](const Point& p) { return double(p[0] % 3) - 1; });
    const auto out = judged.check({n}, given);
    std::vector<std::int64_t> expected;
    for (std::int64_t k = 0; k < n; ++k) {
      std::int64_t sum = k % 3 - 1;
      for (std::int64_t l = 0; l < k; ++l) sum += expected[std::size_t(l)] * (l % 3 - 1);
      expected.push_back(sum);
      CHECK(out["y"].integer({k}) == expected.back());
    }
  }
}

namespace {

// The minimum cost of multiplying matrices i .. i + d, of p(i) x p(i + 1) elements each.
struct Chain {
  Function f{"chain"};
  Param N = f.param("N");
  Var d{"d", 0, N}, i{"i", 0, N - d}, k{"k", 0, d};
  Input p = f.input("p", i64, {N + 1});
  Computation m = f.declare("m", {d, i}, i64);

  Chain() {
    const Expr split = m(k, i) + m(d - k - 1, i + k + 1) + p(i) * p(i + k + 1) * p(i + d + 1);
    m.define(select(d > 0, minimum(k, split), constant(i64, 0)));
  }

  void check() {
    Judged judged(f, {p.buffer(), m.buffer()});
    for (const std::int64_t n : {0, 1, 2, 6}) {
      reference::Arrays given;
      const auto size = [](std::int64_t x) { return (7 * x + 3) % 11 + 1; };
      given["p"] = reference::filled(f.program(), {{"N", n}}, "p",
                                     [&](const Point& at) { return double(size(at[0])); });
      const auto out = judged.check({n}, given);
      std::map<Point, std::int64_t> best;
      for (std::int64_t l = 0; l < n; ++l)
        for (std::int64_t a = 0; a + l < n; ++a) {
          for (std::int64_t c = 0; c < l; ++c) {
            const std::int64_t cost = best[{c, a}] + best[{l - c - 1, a + c + 1}] +
                                      size(a) * size(a + c + 1) * size(a + l + 1);
            best[{l, a}] = c == 0 ? cost : std::min(best[{l, a}], cost);
          }
          CHECK(out["m"].integer({l, a}) == best[{l, a}]);
        }
    }
  }
};

}  // namespace

TEST_CASE("a matrix chain", "[recurrences]") {
  Chain c;
  c.check();
}

TEST_CASE("a matrix chain, chains of one length at once", "[recurrences]") {
  Chain c;
  CHECK(refuses(c.f, Code::E0202_dependence_carried, [&] { c.m.parallelize(c.d); }));
  CHECK(refuses(c.f, Code::E0201_dependence_reversed, [&] { c.m.interchange(c.d, c.i); }));
  c.m.parallelize(c.i);
  c.check();
}

TEST_CASE("several reductions in one value", "[recurrences]") {
  Function f("spread");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, i);
  Input in = f.input("in", i32, {N});
  Computation y = f.declare("y", {i}, i32);
  y.define(in(i) + maximum(j, y(j)) % 5 - sum(j, in(j)) + sum(j, y(j) / 2));
  CHECK(f.program().algorithm->find("y_maximum"));
  CHECK(f.program().algorithm->find("y_sum"));
  CHECK(f.program().algorithm->find("y_sum2"));
  Judged judged(f, {in.buffer(), y.buffer()});
  for (const std::int64_t n : {0, 1, 2, 6}) judged.check({n});
}

TEST_CASE("what define refuses of reductions", "[recurrences]") {
  Function f("bad");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, i), k("k", 0, i), ahead("j", 0, Expr(i) + 1);
  Input in = f.input("in", f32, {N});
  Computation x = f.declare("x", {i}, f32);
  CHECK(refuses(f, Code::E0117_unsupported_expression,
                [&] { x.define(1.0f + sum(j, sum(k, x(k)) * in(j))); }));
  CHECK(refuses(f, Code::E0206_no_legal_order, [&] { x.define(in(i)-sum(ahead, x(ahead))); }));
  Computation taken = f.computation("x_sum", {i}, in(i));
  CHECK(refuses(f, Code::E0104_name_taken, [&] { x.define(in(i)-sum(j, x(j))); }));
  taken.reverse(i);
  CHECK(refuses(f, Code::E0106_bad_argument, [&] { x.define(maximum(j, x(j))); }));
  Function g("inferred");
  Computation z = g.declare("z", {Var("z")}, f32);
  CHECK(refuses(g, Code::E0112_unbounded_domain,
                [&] { z.define(1.0f + sum(Var("k", 0, 3), cast(f32, k))); }));
}

}  // namespace strata::test::recurrences_of_sums_test
