// Reductions with partial results, and with atomic contributions.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/runtime.h>
#include <strata/strata.h>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::privatised_test {

namespace {

const Var i("i"), j("j"), k("k"), k0("k0"), k1("k1"), a("a"), b("b");

// s(i) = the sum of in(i, k) * w(k), and its readers.
struct Rows {
  Function f{"rows"};
  Param N = f.param("N"), K = f.param("K");
  Input in = f.input("in", i32, {N, K}), w = f.input("w", i32, {K});
  Var rows{"i", 0, N};
  Computation s = f.computation("s", {rows}, sum(Var("k", 0, K), in(i, k) * w(k)));
  Computation t = f.computation("t", {rows}, s(i) * 3 + cast(i32, i));
  std::vector<Buffer> arguments() const {
    return {in.buffer(), w.buffer(), s.buffer(), t.buffer()};
  }
  void check() {
    Judged judged(f, arguments());
    for (const auto& [n, depth] :
         {std::pair{3, 19}, {1, 8}, {4, 3}, {0, 5}, {9, 1}, {2, 16}, {3, 0}})
      judged.check({n, depth});
  }
};

}  // namespace

TEST_CASE("partial results under every schedule", "[rfactor]") {
  const std::vector<std::function<void(Rows&)>> schedules{
      [](Rows& r) { r.s.rfactor(k, "p"); },
      [](Rows& r) { r.s.split(k, 8, k0, k1).rfactor(k0, "p").parallelize(k0); },
      [](Rows& r) { r.s.split(k, 8, k0, k1).rfactor(k1, "p").vectorize(k1); },
      [](Rows& r) {
        Computation p = r.s.split(k, 8, k0, k1).rfactor(k1, "p");
        p.split(k1, 4, a, b).vectorize(b).unroll(a);
        r.s.unroll(k1);
      },
      [](Rows& r) { r.s.interchange(i, k).split(k, 4).rfactor(k, "p").parallelize(k); },
      [](Rows& r) {
        Computation p = r.s.split(k, 4, k0, k1).rfactor(k0, "p");
        p.parallelize(k0).rfactor(k1, "q").vectorize(k1);
        r.s.parallelize(i);
      },
      [](Rows& r) {  // the partial results of several rows together
        r.s.split(i, 4, a, b).parallelize(a);
        Computation p = r.s.split(k, 8, k0, k1).rfactor(k1, "p");
        p.compute_at(r.s, a).interchange(b, k0).vectorize(k1).unroll(b);
        r.s.interchange(b, k1).vectorize(b);
      },
      [](Rows& r) {
        r.s.tile(i, k, 2, 4, a, k0, b, k1).parallelize(a);
        Computation p = r.s.rfactor(k1, "p");
        p.vectorize(k1);
        r.t.split(i, 2, a, b).parallelize(a).after(r.s, a);
      },
      [](Rows& r) { r.s.skew(i, k, 1, 1).rfactor(k, "p"); },
      [](Rows& r) { r.s.reverse(k).shift(k, 5).split(k, 3, k0, k1).rfactor(k0, "p"); },
      [](Rows& r) { r.s.vectorize(i, 4).rfactor(k, "p"); },
      [](Rows& r) {
        Computation p = r.s.split(k, 8, k0, k1).rfactor(k1, "p");
        p.allocate_at(root);
        r.s.compute_at(r.t, i);
      },
  };
  for (std::size_t n = 0; n < schedules.size(); ++n) {
    INFO("schedule " << n);
    Rows r;
    r.f.set_budget(10'000'000);
    schedules[n](r);
    r.check();
  }
}

TEST_CASE("partial results of every reduction", "[rfactor]") {
  Function f("all_kinds");
  Param N = f.param("N"), K = f.param("K");
  const Var rows("i", 0, N), over("k", 0, K);
  Input in = f.input("in", i16, {N, K});
  std::vector<Computation> all{
      f.computation("total", {rows}, sum(over, in(i, k))),
      f.computation("times", {rows}, product(over, in(i, k))),
      f.computation("least", {rows}, minimum(over, in(i, k))),
      f.computation("most", {rows}, maximum(over, in(i, k))),
      f.computation("some", {rows}, any(over, in(i, k) > 30000)),
      f.computation("every", {rows}, strata::all(over, in(i, k) > -30000))};
  std::vector<Buffer> arguments{in.buffer()};
  for (Computation& c : all) {
    c.split(k, 4, k0, k1).rfactor(k1, c.name() + "_part").vectorize(k1);
    arguments.push_back(c.buffer());
  }
  Judged judged(f, arguments);
  for (const auto& [n, depth] : {std::pair{3, 19}, {5, 4}, {2, 3}, {2, 0}, {0, 9}})
    judged.check({n, depth});
}

TEST_CASE("a reduction in an update is split in two", "[rfactor]") {
  Function f("update");
  Param N = f.param("N"), K = f.param("K");
  const Var rows("i", 0, N), even("i", 0, N / 2), over("k", 0, K);
  Input in = f.input("in", i32, {N, K});
  Computation x = f.computation("x", {rows}, cast(i32, i));
  Computation s = x.update({even}, {2 * i}, sum(over, in(2 * i, k)));
  Computation y = f.computation("y", {rows}, x(i) + 1);
  s.split(k, 4, k0, k1).rfactor(k0, "p").parallelize(k0);
  Judged judged(f, {in.buffer(), x.buffer(), y.buffer()});
  for (const auto& [n, depth] : {std::pair{6, 9}, {1, 3}, {7, 0}, {0, 2}}) judged.check({n, depth});
}

TEST_CASE("floats are exact after rfactor: its sums are the algorithm", "[rfactor]") {
  Function f("exact");
  Param K = f.param("K");
  Input x = f.input("x", f32, {K}), y = f.input("y", f32, {K});
  Computation dot = f.computation("dot", {}, sum(Var("k", 0, K), x(k) * y(k)));
  dot.split(k, 8, k0, k1).rfactor(k1, "part").vectorize(k1);
  Judged judged(f, {x.buffer(), y.buffer(), dot.buffer()});
  for (const std::int64_t depth : {0, 1, 7, 8, 100}) judged.check({depth});
}

TEST_CASE("what E0207 says to do is legal", "[rfactor]") {
  {
    Rows r;
    r.s.split(k, 8, k0, k1);
    CHECK(refusal_of([&] { r.s.parallelize(k0); }).mend ==
          "give each iteration a partial result: s.rfactor(k0, \"s_part\").parallelize(k0); or use "
          "s.atomic() first");
    r.s.rfactor(k0, "s_part").parallelize(k0);
    r.check();
  }
  {
    Rows r;
    r.s.split(k, 8, k0, k1);
    CHECK(refusal_of([&] { r.s.vectorize(k1); }).mend ==
          "give each iteration a partial result: s.rfactor(k1, \"s_part\").vectorize(k1)");
    r.s.rfactor(k1, "s_part").vectorize(k1);
    r.check();
  }
  {
    Rows r;
    const Var k_lane("k_lane");
    CHECK(refusal_of([&] { r.s.vectorize(k, 4); }).mend ==
          "give each iteration a partial result: s.split(k, 4, k, k_lane).rfactor(k_lane, "
          "\"s_part\").vectorize(k_lane)");
    r.s.split(k, 4, k, k_lane).rfactor(k_lane, "s_part").vectorize(k_lane);
    r.check();
  }
  {
    Rows r;
    r.s.split(k, 8, k0, k1).atomic().parallelize(k0);
    r.check();
  }
}

TEST_CASE("atomic contributions of every kind and type", "[atomic]") {
  for (const Type type : {i8, i16, i32, i64, u8, u16, u32, u64, f32, f64}) {
    INFO(to_string(type));
    Function f("steps");
    Param N = f.param("N"), K = f.param("K");
    const Var rows("i", 0, N), over("k", 0, K);
    Input in = f.input("in", type, {N, K});
    std::vector<Computation> all{f.computation("total", {rows}, sum(over, in(i, k))),
                                 f.computation("times", {rows}, product(over, in(i, k))),
                                 f.computation("least", {rows}, minimum(over, in(i, k))),
                                 f.computation("most", {rows}, maximum(over, in(i, k)))};
    all.push_back(f.computation("some", {rows}, any(over, in(i, k) > 1)));
    all.push_back(f.computation("every", {rows}, strata::all(over, in(i, k) > 1)));
    std::vector<Buffer> arguments{in.buffer()};
    for (Computation& c : all) {
      c.atomic().interchange(i, k).parallelize(k).vectorize(i, 4);
      arguments.push_back(c.buffer());
    }
    Options fast;
    fast.floats = Floats::fast;
    fast.bound = 1e-4;
    Judged judged(f, arguments, fast);
    for (const auto& [n, depth] : {std::pair{5, 6}, {1, 3}, {0, 3}, {3, 0}})
      judged.check({n, depth});
  }
}

TEST_CASE("many threads contend for one result", "[atomic]") {
  Function f("contended");
  Param K = f.param("K");
  const Var over("k", 0, K);
  Input in = f.input("in", i64, {K});
  Computation total = f.computation("total", {}, sum(over, in(k)));
  Computation odd = f.computation("odd", {}, product(over, in(k) * 2 + 1));
  Computation most = f.computation("most", {}, maximum(over, in(k)));
  Computation real = f.computation("real", {}, sum(over, cast(f64, in(k) % 64 - 32)));
  for (Computation* c : {&total, &odd, &most, &real}) c->atomic().parallelize(k);
  const int threads = strata_set_number_of_threads(8);
  const JitFunction kernel =
      f.jit({in.buffer(), total.buffer(), odd.buffer(), most.buffer(), real.buffer()});
  const std::int64_t count = 300000;
  const std::vector<std::int64_t> scalar;
  Array<std::int64_t> data({count}), t(scalar), o(scalar), m(scalar);
  Array<double> r(scalar);
  std::uint64_t odd_wanted = 1;
  double real_wanted = 0;
  for (std::int64_t n = 0; n < count; ++n) {
    data(n) = n * 7919 % 100003;
    odd_wanted *= std::uint64_t(data(n)) * 2 + 1;
    real_wanted += double(data(n) % 64 - 32);  // small integers: exact in any order
  }
  for (int again = 0; again < 5; ++again) {
    REQUIRE(kernel({count}, {data, t, o, m, r}) == 0);
    std::int64_t wanted = 0;
    for (std::int64_t n = 0; n < count; ++n) wanted += data(n);
    CHECK(t() == wanted);
    CHECK(std::uint64_t(o()) == odd_wanted);
    CHECK(m() == 100002);
    CHECK(r() == real_wanted);
  }
  strata_set_number_of_threads(threads);
}

// The buffer of total is one element on the stack in the loops of "second" and a row on the heap in
// those of "all".
TEST_CASE("atomic contributions on the stack in one nest, on the heap in another", "[atomic]") {
  Function f("places");
  Param N = f.param("N");
  f.assume(N >= 2);
  const Var rows("i", 0, N), t("t", 0, 3);
  Input in = f.input("in", i32, {N, N});
  Computation total = f.computation("total", {rows}, sum(Var("k", 0, N), in(i, k)));
  Computation second = f.computation("second", {rows}, total(1));
  Computation all = f.computation("all", {t, rows}, total(i));
  total.atomic().compute_at({{second, i}, {all, t}});
  Judged judged(f, {in.buffer(), second.buffer(), all.buffer()});
  for (const std::int64_t n : {2, 5}) judged.check({n});
}

TEST_CASE("exact sums keep their order", "[rfactor]") {
  Function f("ordered");
  Param N = f.param("N"), K = f.param("K");
  Input in = f.input("in", f32, {N, K});
  const Var rows("i", 0, N), over("k", 0, K);
  Computation s = f.computation("s", {rows}, sum(over, in(i, k)));
  CodegenOptions exact;
  exact.floats = Floats::exact;
  s.tile(i, k, 4, 4, a, k0, b, k1).vectorize(b);
  CHECK_NOTHROW(f.jit({in.buffer(), s.buffer()}, exact));
  s.reverse(k1);
  const Refusal refusal = refusal_of([&] { f.jit({in.buffer(), s.buffer()}, exact); });
  CHECK(refusal.code == Code::E0504_sum_not_in_order);
  CHECK(refusal.witness->executions[0].instance == "s[0, 0]");
  CHECK(refusal.witness->executions[1].instance == "s[0, 1]");
  CHECK_NOTHROW(f.jit({in.buffer(), s.buffer()}));
}

TEST_CASE("partial sums of rows whose lengths are data", "[rfactor]") {
  Function f("rows");
  Param N = f.param("N"), Z = f.param("Z");
  Var i("i", 0, N), k0("k0"), k1("k1");
  Input first = f.input("first", i32, {N + 1}), entries = f.input("entries", i32, {Z});
  Var k("k", first(i), first(i + 1));
  Computation s = f.computation("s", {i}, sum(k, entries(k)));
  s.split(k, 4, k0, k1);
  Computation part = s.rfactor(k1, "part");
  Judged judged(f, {first.buffer(), entries.buffer(), s.buffer()});
  const std::vector<std::int64_t> starts{0, 3, 3, 10, 12};
  reference::Arrays given;
  given["first"] =
      reference::filled(f.program(), {{"N", 4}, {"Z", 12}}, "first",
                        [&](const reference::Point& p) { return starts[std::size_t(p[0])]; });
  given["entries"] = reference::filled(f.program(), {{"N", 4}, {"Z", 12}}, "entries",
                                       [](const reference::Point& p) { return p[0] + 1; });
  const auto out = judged.check({4, 12}, given);
  CHECK(out["s"].integer({0}) == 1 + 2 + 3);
  CHECK(out["s"].integer({1}) == 0);
  CHECK(out["s"].integer({2}) == 4 + 5 + 6 + 7 + 8 + 9 + 10);
  CHECK(out["s"].integer({3}) == 11 + 12);
}

}  // namespace strata::test::privatised_test
