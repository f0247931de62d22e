// Reductions, recurrences and updates.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/strata.h>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::reduction_cases_test {

using reference::Point;

TEST_CASE("a sum onto 37", "[case-5]") {
  Function f("onto");
  Var r("r", 0, 10), y("y", 0, 40), x("x", 0, 20);
  Input in = f.input("in", u8, {10, 40, 20});
  Computation s = f.computation("s", {y, x}, constant(u8, 37));
  Computation add = s.update({r, y, x}, {y, x}, s(y, x) + in(r, y, x));
  Computation total = f.computation("total", {y, x}, sum(r, in(r, y, x)));
  Computation once = f.computation("once", {y, x}, 37 + total(y, x));
  add.after(s, root);
  Judged onto(f, {in.buffer(), s.buffer(), once.buffer()});
  reference::Arrays given;
  given["in"] = reference::filled(f.program(), {}, "in", [](const Point&) { return 13; });
  auto out = onto.check({}, given);
  for (const char* name : {"s", "once"})
    for (const Point& p : out[name].elements()) CHECK(out[name].integer(p) == 167);
  given["in"] =
      reference::filled(f.program(), {}, "in", [](const Point& p) { return p[0] + p[1] + p[2]; });
  out = onto.check({}, given);
  for (const char* name : {"s", "once"})
    for (const Point& p : out[name].elements())
      CHECK(out[name].integer(p) == (37 + 10 * (p[0] + p[1]) + 45) % 256);
}

TEST_CASE("three definitions of one recurrence", "[case-12]") {
  for (const auto& [a, b] : {std::pair{1, 1}, std::pair{7, 200}}) {
    Function f("three");
    Var i("i", 0, 1), one("one", 1, 2), n("n", 2, 10);
    Computation C = f.computation("C", {i}, constant(u8, a));
    C.update({one}, {one}, constant(u8, b));
    C.update({n}, {n}, (C(n - 1) + C(n - 2)) / 2);
    const auto out = Judged(f, {C.buffer()}).check({});
    const std::vector<std::int64_t> expected =
        a == 1 ? std::vector<std::int64_t>(10, 1)
               : std::vector<std::int64_t>{7, 200, 103, 23, 63, 43, 53, 48, 50, 49};
    for (std::int64_t k = 0; k < 10; ++k) CHECK(out["C"].integer({k}) == expected[std::size_t(k)]);
  }
}

TEST_CASE("a scalar result in one cell", "[case-13]") {
  Function f("scalar");
  Var i("i", 0, 10), k("k", 1, 10);
  Input in = f.input("in", i32, {10});
  Computation total = f.computation("total", {}, sum(i, in(i)));
  Computation updated = f.computation("updated", {}, in(0));
  updated.update({k}, {}, updated() + in(k));
  Computation chain = f.declare("chain", {i}, i32);
  chain.define(select(i > 0, chain(i - 1), 0) + in(i));
  chain.store_in({0});
  Judged scalar(f, {in.buffer(), total.buffer(), updated.buffer(), chain.buffer()});
  reference::Arrays given;
  given["in"] = reference::filled(f.program(), {}, "in", [](const Point&) { return 1; });
  auto out = scalar.check({}, given);
  CHECK(out["total"].integer({}) == 10);
  CHECK(out["chain"].integer({0}) == 10);
  given["in"] = reference::filled(f.program(), {}, "in", [](const Point& p) { return p[0]; });
  out = scalar.check({}, given);
  CHECK(out["total"].integer({}) == 45);
  CHECK(out["updated"].integer({}) == 45);
  CHECK(out["chain"].integer({0}) == 45);
}

TEST_CASE("updates of elements that each iteration redefines", "[case-33]") {
  Function f("smaller");
  const Var i("i", 0, 10), j("j", 0, 10), a("a", 0, 10), b("b", 0, 10);
  Computation F = f.computation("F", {a, b}, constant(i32, 0));
  Computation G = f.computation("G", {a, b}, constant(i32, 0));
  const auto inside = [&](const std::function<void()>& body) {
    f.loop(i, [&] { f.loop(j, [&] { f.loop(a, [&] { f.loop(b, body); }); }); });
  };
  inside([&] {
    F.update({i, j, a, b}, {a, b}, F(a, b) + 1);
    G.update({i, j, a, b}, {a, b}, F(0, 0));
  });
  const auto out = Judged(f, {F.buffer(), G.buffer()}).check({});
  for (const Point& p : out["G"].elements()) {
    CHECK(out["F"].integer(p) == 100);
    CHECK(out["G"].integer(p) == 100);
  }
}

namespace {

// C(i, j, k) = C(i, j, k - 1) + A(i, k) * B(k, j) in c[i, j], starting with C(i, j, -1) = 0.
struct Product {
  Function f{"product"};
  Param N = f.param("N"), D = f.param("D"), M = f.param("M");
  Var i{"i", 0, N}, j{"j", 0, M}, k{"k", 0, D};
  Input A = f.input("A", i32, {N, D}), B = f.input("B", i32, {D, M});
  Computation C = f.computation("C", {i, j, Var("k", -1, 0)}, constant(i32, 0));
  Computation step = C.update({i, j, k}, {i, j, k}, C(i, j, k - 1) + A(i, k) * B(k, j));

  Product() { C.store_in(Buffer("R"), {i, j}); }
  std::vector<Buffer> arguments() const { return {A.buffer(), B.buffer(), Buffer("R")}; }
};

}  // namespace

TEST_CASE("matmul with sizes given at run time", "[case-30]") {
  Product p;
  p.f.together([&] { p.step.after(p.C, p.j); });
  Judged product(p.f, p.arguments());
  const reference::Parameters sizes{{"N", 7}, {"D", 7}, {"M", 3}};
  reference::Arrays given;
  for (const char* name : {"A", "B"})
    given[name] =
        reference::filled(p.f.program(), sizes, name, [](const Point& e) { return e[0] + e[1]; });
  const auto out = product.check({7, 7, 3}, given);
  CHECK(out["R"].integer({0, 0}) == 91);
  CHECK(out["R"].integer({6, 2}) == 343);
  for (const std::int64_t d : {0, 1, 2}) product.check({3, d, 2});
  product.check({0, 2, 2});
}

TEST_CASE("matmul with sizes given at run time, fused at the innermost loop", "[case-30]") {
  Product p;
  p.step.after(p.C, p.k);
  Judged product(p.f, p.arguments());
  for (const std::int64_t d : {0, 1, 4}) product.check({3, d, 2});
}

TEST_CASE("a matmul of 513 x 234 x 725", "[case-30]") {
  Product p;
  const Var i0("i0"), j0("j0"), i1("i1"), j1("j1");
  p.step.interchange(p.j, p.k);
  p.step.interchange(p.j, p.k);
  p.step.tile(p.i, p.j, 32, 32, i0, j0, i1, j1);
  p.step.interchange(j1, p.k);
  p.step.vectorize(j1, 8);
  p.step.parallelize(i0);
  const JitFunction product = p.f.jit(p.arguments());
  const std::int64_t n = 513, d = 234, m = 725;
  Array<std::int32_t> a({n, d}), b({d, m}), r({n, m});
  for (std::int64_t x = 0; x < n; ++x)
    for (std::int64_t y = 0; y < d; ++y) a(x, y) = std::int32_t(x + y);
  for (std::int64_t x = 0; x < d; ++x)
    for (std::int64_t y = 0; y < m; ++y) b(x, y) = std::int32_t(x + y);
  REQUIRE(product({n, d, m}, {a, b, r}) == 0);
  CHECK(r(512, 724) == 124679217);
  std::int64_t wrong = 0;
  for (std::int64_t x = 0; x < n; ++x)
    for (std::int64_t y = 0; y < m; ++y) {
      // sum over k of (x + k) (k + y)
      const std::int64_t k1 = d * (d - 1) / 2, k2 = d * (d - 1) * (2 * d - 1) / 6;
      wrong += r(x, y) != d * x * y + (x + y) * k1 + k2;
    }
  CHECK(wrong == 0);
}

}  // namespace strata::test::reduction_cases_test
