// Values of several scalars: argmin and argmax, user-defined reductions, plain tuples.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include <limits>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::tuples_test {

using reference::Point;

namespace {

const Var i("i"), j("j"), k("k"), k0("k0"), k1("k1");

// For each row of in, the smallest value and its first position.
struct Least {
  Function f{"least"};
  Param N = f.param("N"), K = f.param("K");
  Input in = f.input("in", i32, {N, K});
  Var rows{"i", 0, N}, over{"k", 0, K};
  Computation best = f.computation({"best", "at"}, {rows}, argmin(over, in(i, k) % 5));
  Computation at = best.component(1);
  Computation seen = f.computation("seen", {rows}, cast(i64, best(i)) * 100 + at(i));
  std::vector<Buffer> arguments() const {
    return {in.buffer(), best.buffer(), at.buffer(), seen.buffer()};
  }
};

const std::vector<std::pair<std::int64_t, std::int64_t>> sizes{
    {5, 6}, {3, 1}, {0, 4}, {4, 0}, {9, 17}};

}  // namespace

TEST_CASE("argmin gives the first of the least values", "[tuples]") {
  Least p;
  Judged judged(p.f, p.arguments());
  for (const auto& [n, depth] : sizes) judged.check({n, depth});
  reference::Arrays given;
  given["in"] = reference::filled(p.f.program(), {{"N", 3}, {"K", 7}}, "in",
                                  [](const Point& e) { return (e[1] + 2) * (e[0] + 1); });
  // row 0: 2 3 4 0 1 2 3; row 1: 4 1 3 0 2 4 1; row 2: 1 4 2 0 3 1 4
  const auto out = judged.check({3, 7}, given);
  for (const std::int64_t row : {0, 1, 2}) {
    CHECK(out["best"].integer({row}) == 0);
    CHECK(out["at"].integer({row}) == 3);
  }
  const auto nothing = judged.check({2, 0});
  CHECK(nothing["best"].integer({1}) == std::numeric_limits<std::int32_t>::max());
  CHECK(nothing["at"].integer({1}) == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("argmin under every schedule", "[tuples]") {
  const std::vector<std::function<void(Least&)>> schedules{
      [](Least& p) { p.best.vectorize(i, 4); },
      [](Least& p) { p.best.interchange(i, k).reverse(k).parallelize(i); },
      [](Least& p) { p.best.tile(i, k, 2, 3).unroll(Var("k_in")); },
      [](Least& p) { p.best.split(k, 4, k0, k1).rfactor(k0, "part").parallelize(k0); },
      [](Least& p) { p.best.split(k, 4, k0, k1).rfactor(k1, "part").vectorize(k1); },
      [](Least& p) {
        p.best.compute_at(p.seen, i);
        p.seen.parallelize(i);
      },
      [](Least& p) { p.best.store_in({p.N - 1 - i}); },
      [](Least& p) {
        p.seen.after(p.best, i);
        p.best.store_in({0 * i}).allocate_at(p.seen, i);
      },
  };
  for (std::size_t n = 0; n < schedules.size(); ++n) {
    INFO("schedule " << n);
    Least p;
    schedules[n](p);
    const bool temporary = n == 5 || n == 7;
    Judged judged(p.f,
                  temporary ? std::vector<Buffer>{p.in.buffer(), p.seen.buffer()} : p.arguments());
    for (const auto& [rows, depth] : sizes) judged.check({rows, depth});
  }
}

TEST_CASE("argmax over two iterators, of floats with NaN", "[tuples]") {
  Function f("most");
  Param N = f.param("N"), M = f.param("M");
  Input in = f.input("in", f32, {N, M});
  Computation most =
      f.computation({"most", "row", "column"}, {},
                    argmax(std::vector<Var>{Var("i", 0, N), Var("j", 0, M)}, in(i, j)));
  Computation row = most.component(1), column = most.component(2);
  Judged judged(f, {in.buffer(), most.buffer(), row.buffer(), column.buffer()});
  reference::Arrays given;
  given["in"] = reference::filled(f.program(), {{"N", 2}, {"M", 3}}, "in",
                                  [](const Point& e) { return e[0] == 1 && e[1] > 0 ? 7 : e[1]; });
  given["in"].set({0, 0}, reference::real_scalar(f32, std::numeric_limits<double>::quiet_NaN()));
  const auto out = judged.check({2, 3}, given);
  CHECK(out["most"].real({}) == 7);
  CHECK(out["row"].integer({}) == 1);
  CHECK(out["column"].integer({}) == 1);
}

TEST_CASE("a reduction that the author makes: mean and variance", "[tuples]") {
  // (n, mean, m2) by Chan, Golub and LeVeque, 1979.
  const Reducer welford("welford", {0.0, 0.0, 0.0}, [](const auto& a, const auto& b) {
    const Expr n = a[0] + b[0], delta = b[1] - a[1];
    const Expr share = select(n > 0.0, b[0] / n, 0.0);
    return std::vector<Expr>{n, a[1] + delta * share, a[2] + b[2] + delta * delta * a[0] * share};
  });
  for (const bool split : {false, true}) {
    Function f("spread");
    Param N = f.param("N"), K = f.param("K");
    Input in = f.input("in", f64, {N, K});
    const Var rows("i", 0, N), over("k", 0, K);
    Computation n = f.computation({"n", "mean", "m2"}, {rows},
                                  reduce(welford, over, {constant(i32, 1), in(i, k), 0.0}));
    Computation mean = n.component(1), m2 = n.component(2);
    if (split) n.split(k, 8, k0, k1).rfactor(k1, "lanes").vectorize(k1);
    Judged judged(f, {in.buffer(), n.buffer(), mean.buffer(), m2.buffer()});
    for (const auto& [rows_, depth] : sizes) judged.check({rows_, depth});
    reference::Arrays given;
    given["in"] = reference::filled(f.program(), {{"N", 1}, {"K", 16}}, "in",
                                    [](const Point& e) { return e[1]; });
    const auto out = judged.check({1, 16}, given);  // over 0 .. 15
    CHECK(out["n"].real({0}) == 16);
    CHECK(out["mean"].real({0}) == Approx(7.5));
    CHECK(out["m2"].real({0}) == Approx(340));  // the sum of (x - 7.5)^2
  }
}

TEST_CASE("plain tuples, one after the other", "[tuples]") {
  Function f("fibonacci");
  Param N = f.param("N");
  Var rows("i", 0, N);
  Computation sum_ =
      f.computation({"sum_", "difference"}, {rows}, tuple({cast(i32, i) + 3, cast(i64, i) - 3}));
  Computation swapped = f.computation(
      {"a", "b"}, {rows},
      tuple({sum_.component(1)(i) + cast(i64, sum_(i)), select(sum_(i) > 4, sum_(i), 0)}));
  swapped.vectorize(i, 4);
  Judged judged(f, {swapped.buffer(), swapped.component(1).buffer(), sum_.buffer()});
  for (const std::int64_t n : {0, 1, 4, 9}) judged.check({n});
  const auto out = judged.check({4});
  CHECK(out["a"].integer({3}) == 6);
  CHECK(out["b"].integer({3}) == 6);
  CHECK(out["b"].integer({1}) == 0);
}

TEST_CASE("a copy of one scalar of a tuple", "[tuples]") {
  Least p;
  p.seen.cache_at(i, p.at, "copy", {Var("x")});
  Judged judged(p.f, p.arguments());
  for (const auto& [n, depth] : sizes) judged.check({n, depth});
}

TEST_CASE("exact reductions of tuples of floats keep their order", "[tuples]") {
  Function f("ordered");
  Param K = f.param("K");
  Input in = f.input("in", f32, {K});
  Computation best = f.computation({"best", "at"}, {}, argmin(Var("k", 0, K), in(k)));
  best.reverse(k);
  CodegenOptions exact;
  exact.floats = Floats::exact;
  const std::vector<Buffer> arguments{in.buffer(), best.buffer(), best.component(1).buffer()};
  CHECK(refusal_of([&] { f.jit(arguments, exact); }).code == Code::E0504_sum_not_in_order);
  CHECK_NOTHROW(f.jit(arguments));
}

TEST_CASE("what tuples are refused", "[tuples]") {
  Least p;
  Function& f = p.f;
  const Var rows("x", 0, p.N);
  Function named("named");
  named.buffer("second", i32, {2});
  const Var few("x", 0, named.param("N"));
  const Computation first = named.computation({"first", "second"}, {few}, tuple({1, 2}));
  CHECK(refuses(named, Code::E0104_name_taken, [&] { named.jit({first.buffer()}); }));
  CHECK(
      refuses(f, Code::E0109_wrong_arity, [&] { f.computation({"one"}, {rows}, tuple({1, 2})); }));
  CHECK(refuses(f, Code::E0104_name_taken,
                [&] { f.computation({"one", "at"}, {rows}, tuple({1, 2})); }));
  CHECK(refuses(f, Code::E0104_name_taken,
                [&] { f.computation({"one", "one"}, {rows}, tuple({1, 2})); }));
  CHECK(refuses(f, Code::E0104_name_taken, [&] { p.seen.store_in(Buffer("at")); }));
  CHECK(refuses(f, Code::E0106_bad_argument, [&] { p.at.store_in({0 * i}); }));
  CHECK(refuses(f, Code::E0106_bad_argument, [&] { p.best.set_inline(); }));
  CHECK(refuses(f, Code::E0106_bad_argument, [&] { p.best.atomic(); }));
  CHECK(refuses(f, Code::E0106_bad_argument, [&] { p.best.update({rows}, {rows}, 1); }));
  CHECK(refuses(f, Code::E0106_bad_argument, [&] { p.best.component(2); }));
  const Reducer odd("odd", {0, 0}, [](const auto& a, const auto&) { return std::vector{a[0]}; });
  CHECK(refuses(f, Code::E0106_bad_argument,
                [&] { f.computation({"u", "v"}, {rows}, reduce(odd, p.over, {1, 2})); }));
  const Reducer foreign("foreign", {0}, [](const auto& a, const auto&) {
    return std::vector<Expr>{a[0] + cast(i32, variable("x"))};
  });
  CHECK(refuses(f, Code::E0106_bad_argument, [&] {
    f.computation(std::vector<std::string>{"u"}, {rows}, reduce(foreign, p.over, {1}));
  }));
  CHECK(refuses(f, Code::E0110_types_do_not_mix,
                [&] { f.computation({"u", "v"}, {rows}, argmin(p.over, p.in(0 * k, k) > 0)); }));
}

}  // namespace strata::test::tuples_test
