// Sums, products, minima and maxima under schedules, also over empty ranges.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include <limits>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::reductions_test {

using reference::Point;

namespace {

using Make = Expr (*)(Var, Expr);
struct Kind {
  std::string name;
  Make make;
};
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{{"sum", [](Var k, Expr e) { return sum(k, e); }},
                                     {"product", [](Var k, Expr e) { return product(k, e); }},
                                     {"minimum", [](Var k, Expr e) { return minimum(k, e); }},
                                     {"maximum", [](Var k, Expr e) { return maximum(k, e); }}};
  return all;
}

}  // namespace

TEST_CASE("every reduction of every type", "[reductions]") {
  for (const Type type : {i8, i16, i32, i64, u8, u16, u32, u64, f32, f64}) {
    INFO(to_string(type));
    Function f("reduced");
    Param N = f.param("N"), K = f.param("K");
    Var i("i", 0, N), k("k", 0, K);
    Input in = f.input("in", type, {N, K});
    std::vector<Buffer> arguments{in.buffer()};
    for (const Kind& kind : kinds()) {
      Computation s = f.computation(kind.name, {i}, kind.make(k, in(i, k)));
      s.vectorize(i, 4);
      arguments.push_back(s.buffer());
    }
    Judged judged(f, arguments);
    for (const auto& [n, depth] : {std::pair{5, 3}, {0, 3}, {3, 0}, {9, 1}})
      judged.check({n, depth});
  }
}

TEST_CASE("any and all, under every kind of loop", "[reductions]") {
  const Var i("i"), k("k");
  const std::vector<std::function<void(Computation&)>> schedules{
      [](Computation&) {},
      [&](Computation& s) { s.vectorize(i, 4); },
      [&](Computation& s) { s.interchange(i, k).parallelize(i).reverse(k); },
      [&](Computation& s) { s.tile(i, k, 2, 3).unroll(Var("k_in")); },
  };
  for (std::size_t n = 0; n < schedules.size(); ++n) {
    INFO("schedule " << n);
    Function f("truths");
    Param N = f.param("N"), K = f.param("K");
    const Var rows("i", 0, N), over("k", 0, K);
    Input in = f.input("in", i32, {N, K});
    Computation some = f.computation("some", {rows}, any(over, in(i, k) > 0));
    Computation every = f.computation("every", {rows}, all(over, in(i, k) > 0));
    Computation count = f.computation("count", {rows}, select(some(i) && !every(i), 1, 0));
    schedules[n](some);
    schedules[n](every);
    Judged judged(f, {in.buffer(), some.buffer(), every.buffer(), count.buffer()});
    for (const auto& [rows_, depth] : {std::pair{7, 1}, {7, 2}, {0, 3}, {3, 0}, {5, 7}})
      judged.check({rows_, depth});
    const reference::Parameters sizes{{"N", 3}, {"K", 4}};
    reference::Arrays given;
    given["in"] = reference::filled(f.program(), sizes, "in",
                                    [](const Point& p) { return p[0] == 0 ? 1 : p[0] * p[1] - 2; });
    const auto out = judged.check({3, 4}, given);  // 1 1 1 1 / -2 -1 0 1 / -2 0 2 4
    for (const std::int64_t row : {0, 1, 2}) CHECK(out["some"].integer({row}) == 1);
    for (const std::int64_t row : {0, 1, 2}) CHECK(out["every"].integer({row}) == (row == 0));
  }
}

TEST_CASE("reductions over nothing", "[reductions]") {
  Function f("nothing");
  Param K = f.param("K");
  Var k("k", 0, K);
  Input in = f.input("in", i32, {K});
  Input reals = f.input("reals", f32, {K});
  std::vector<Buffer> arguments{in.buffer(), reals.buffer()};
  for (const Kind& kind : kinds()) {
    arguments.push_back(f.computation(kind.name, {}, kind.make(k, in(k))).buffer());
    arguments.push_back(f.computation(kind.name + "_real", {}, kind.make(k, reals(k))).buffer());
  }
  arguments.push_back(f.computation("any", {}, any(k, in(k) > 0)).buffer());
  arguments.push_back(f.computation("all", {}, all(k, in(k) > 0)).buffer());
  const auto out = Judged(f, arguments).check({0});
  CHECK(out["any"].integer({}) == 0);
  CHECK(out["all"].integer({}) == 1);
  CHECK(out["sum"].integer({}) == 0);
  CHECK(out["product"].integer({}) == 1);
  CHECK(out["minimum"].integer({}) == std::numeric_limits<std::int32_t>::max());
  CHECK(out["maximum"].integer({}) == std::numeric_limits<std::int32_t>::min());
  CHECK(out["minimum_real"].real({}) == std::numeric_limits<double>::infinity());
  CHECK(out["maximum_real"].real({}) == -std::numeric_limits<double>::infinity());
}

TEST_CASE("a reduction over a triangle and over two iterators", "[reductions]") {
  Function f("triangles");
  Param N = f.param("N");
  Var i("i", 0, N), k("k", i, N), a("a", 0, N), b("b", 0, a);
  Input in = f.input("in", i32, {N, N});
  Computation tails = f.computation("tails", {i}, sum(k, in(i, k)));
  Computation below = f.computation("below", {}, maximum(std::vector<Var>{a, b}, in(a, b)));
  Computation both = f.computation("both", {i}, tails(i) * 3 + below() * cast(i32, i));
  tails.tile(i, k, 3, 2);
  both.vectorize(i, 4);
  Judged judged(f, {in.buffer(), tails.buffer(), below.buffer(), both.buffer()});
  for (const std::int64_t n : {0, 1, 2, 5, 8}) judged.check({n});
}

TEST_CASE("the loop of a reduction in every place", "[reductions]") {
  const Var i("i"), j("j"), k("k");
  const std::vector<std::function<void(Computation&)>> schedules{
      [&](Computation& C) { C.interchange(j, k); },
      [&](Computation& C) { C.interchange(i, k); },
      [&](Computation& C) { C.reverse(k); },
      [&](Computation& C) { C.tile(i, j, k, 4, 4, 2).vectorize(Var("j_in")); },
      [&](Computation& C) { C.interchange(i, k).interchange(k, j).vectorize(i, 4); },
      [&](Computation& C) { C.unroll(k, 3).parallelize(i).vectorize(j, 4); },
      [&](Computation& C) { C.skew(j, k, 1, 1).reverse(k); },
      [&](Computation& C) { C.split(k, 2).interchange(k, i); },
      [&](Computation& C) { C.shift(k, 5).shift(i, -2).interchange(j, k).parallelize(j); },
  };
  for (std::size_t n = 0; n < schedules.size(); ++n) {
    INFO("schedule " << n);
    Function f("matmul");
    Param N = f.param("N"), M = f.param("M"), K = f.param("K");
    Input A = f.input("A", i32, {N, K}), B = f.input("B", i32, {K, M});
    const Var over("k", 0, K);
    Computation C =
        f.computation("C", {Var("i", 0, N), Var("j", 0, M)}, sum(over, A(i, k) * B(k, j)));
    Computation D = f.computation("D", {Var("i", 0, N), Var("j", 0, M)}, C(i, j) + 1);
    schedules[n](C);
    Judged judged(f, {A.buffer(), B.buffer(), C.buffer(), D.buffer()});
    judged.check({5, 6, 3});
    judged.check({4, 1, 0});
    judged.check({0, 3, 2});
    judged.check({1, 9, 5});
  }
}

TEST_CASE("a fused reader comes after the whole sum", "[reductions]") {
  Function f("fused");
  Param N = f.param("N"), K = f.param("K");
  Var i("i", 0, N), k("k", 0, K);
  Input in = f.input("in", i32, {N, K});
  Computation s = f.computation("s", {i}, sum(k, in(i, k)));
  Computation t = f.computation("t", {i}, s(i) * s(i));
  t.after(s, i);
  s.store_in({0 * i});
  s.unroll(k, 2);
  Judged judged(f, {in.buffer(), t.buffer()});
  for (const auto& [n, depth] : {std::pair{4, 3}, {3, 0}, {0, 4}, {1, 1}}) judged.check({n, depth});
  Computation u = f.computation("u", {i, k}, t(i) + in(i, k));
  CHECK(refuses(f, Code::E0201_dependence_reversed, [&] { u.after(s, k); }));
}

TEST_CASE("a sum of floats in the fast mode stays within its bound", "[reductions]") {
  Function f("fast");
  Param N = f.param("N");
  Var i("i", 0, N), k("k", 0, 64);
  Input a = f.input("a", f32, {N, 64}), b = f.input("b", f32, {N, 64});
  Computation s = f.computation("s", {i}, sum(k, a(i, k) * b(i, k)));
  s.interchange(i, k);
  s.vectorize(i, 8);
  Options fast;
  fast.floats = Floats::fast;
  fast.bound = 64 * 64 * 4 * 1.2e-7;  // terms, their size, unit roundoff
  Judged judged(f, {a.buffer(), b.buffer(), s.buffer()}, fast);
  for (const std::int64_t n : {1, 8, 13}) judged.check({n});
}

}  // namespace strata::test::reductions_test
