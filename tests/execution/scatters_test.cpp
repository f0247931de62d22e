// Updates with data-dependent elements.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/strata.h>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::scatters_test {

using reference::Point;

namespace {

// hist(bin(i)) += 1
struct Histogram {
  Function f{"histogram"};
  Param N = f.param("N"), B = f.param("B");
  Var b{"b", 0, B}, i{"i", 0, N};
  Input bin = f.input("bin", i32, {N});
  Computation hist = f.computation("hist", {b}, constant(i32, 0));
  Computation add = hist.update({i}, {bin(i)}, hist(bin(i)) + 1);

  std::vector<Buffer> arguments() const { return {bin.buffer(), hist.buffer()}; }
  reference::Arrays inside(std::int64_t n, std::int64_t bins) const {
    reference::Arrays given;
    given["bin"] = reference::filled(f.program(), {{"N", n}, {"B", bins}}, "bin",
                                     [=](const Point& p) { return double((p[0] * p[0]) % bins); });
    return given;
  }
};

}  // namespace

TEST_CASE("a histogram", "[scatters]") {
  Histogram h;
  Judged histogram(h.f, h.arguments());
  const auto out = histogram.check({10, 4}, h.inside(10, 4));  // squares are 0 or 1 modulo 4
  CHECK(out["hist"].integer({0}) == 5);
  CHECK(out["hist"].integer({1}) == 5);
  CHECK(out["hist"].integer({2}) == 0);
  histogram.check({0, 3}, h.inside(0, 3));
  histogram.check({1, 1}, h.inside(1, 1));
}

TEST_CASE("the instances of a scatter keep their order", "[scatters]") {
  Histogram h;
  for (const auto& command : std::vector<std::function<void()>>{[&] { h.add.parallelize(h.i); },
                                                                [&] { h.add.vectorize(h.i, 4); }}) {
    const Refusal refusal = refusal_of(command);
    CHECK(refusal.code == Code::E0202_dependence_carried);
    CHECK(refusal.explanation.find("everything that may happen is assumed to happen") !=
          std::string::npos);
    REQUIRE(refusal.witness);
    CHECK(refusal.witness->executions[0].instance == "hist_1[0]");
    CHECK(refusal.witness->executions[1].instance == "hist_1[1]");
  }
  CHECK(refuses(h.f, Code::E0201_dependence_reversed, [&] { h.add.reverse(h.i); }));
  CHECK(refuses(h.f, Code::E0201_dependence_reversed, [&] { h.add.before(h.hist, root); }));
  h.add.split(h.i, 4, Var("i0"), Var("i1"));
  h.add.unroll(Var("i1"));
  Judged(h.f, h.arguments()).check({11, 3}, h.inside(11, 3));
}

TEST_CASE("an element outside the array is not written, and reported", "[scatters]") {
  Histogram h;
  const JitFunction kernel = h.f.jit(h.arguments());
  Array<std::int32_t> bin({5}), memory({6});
  for (std::int64_t x = 0; x < 6; ++x) memory(x) = 77;
  strata_buffer hist;
  strata_dimension dimension;
  const std::int64_t extent = 4;
  strata_buffer_init(&hist, strata_int(32), &memory(1), 1, &dimension, &extent);
  for (const std::int32_t wrong : {-1, 4, 1 << 30, -(1 << 30)}) {
    for (std::int64_t x = 0; x < 5; ++x) bin(x) = std::int32_t(x == 3 ? wrong : 2);
    CHECK(kernel({5, 4}, {bin, strata_argument(&hist)}) == strata_error_index_out_of_range);
    CHECK(std::string(strata_last_error()).find("index 0 of hist was ") != std::string::npos);
    CHECK(memory(0) == 77);
    CHECK(memory(5) == 77);
  }
}

TEST_CASE("readers of a scatter see all of it", "[scatters]") {
  Function f("ranked");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), k("k", 0, N);
  Input at = f.input("at", i64, {N}), in = f.input("in", i32, {N});
  Computation S = f.computation("S", {i}, in(i));
  Computation scattered = S.update({j}, {at(j)}, S(j) * 2 + in(j));
  Computation out = f.computation("out", {k}, S(k) - in(k));
  CHECK(refuses(f, Code::E0201_dependence_reversed, [&] { out.after(scattered, j); }));
  out.vectorize(k, 4);
  Judged ranked(f, {at.buffer(), in.buffer(), out.buffer()});
  reference::Arrays given;
  given["at"] = reference::filled(f.program(), {{"N", 7}}, "at",
                                  [](const Point& p) { return double((p[0] * 2) % 5); });
  ranked.check({7}, given);
}

namespace {

// S(at(j)) = in(j), then out(k) = S(k + offset), then S(i) = S(i) * 3.
struct Overwritten {
  explicit Overwritten(int offset)
      : out(f.computation("out", {k}, S(k + offset))), update(S.update({i}, {i}, S(i) * 3)) {}
  Function f{"overwritten"};
  Param N = f.param("N");
  Var i{"i", 0, N}, j{"j", 0, N}, k{"k", 1, N - 1};
  Input at = f.input("at", i64, {N}), in = f.input("in", i32, {N});
  Computation S = f.computation("S", {i}, in(i));
  Computation scattered = S.update({j}, {at(j)}, in(j));
  Computation out, update;
};

}  // namespace

TEST_CASE("of a scatter's values its readers need those that they name", "[scatters]") {
  Overwritten ahead(1), behind(-1);
  ahead.out.before(ahead.update, Var("i"));
  Judged judged(ahead.f,
                {ahead.at.buffer(), ahead.in.buffer(), ahead.S.buffer(), ahead.out.buffer()});
  reference::Arrays given;
  given["at"] = reference::filled(ahead.f.program(), {{"N", 7}}, "at",
                                  [](const Point& p) { return double((p[0] * 3) % 7 / 2); });
  judged.check({7}, given);
  CHECK(refuses(behind.f, Code::E0301_value_overwritten,
                [&] { behind.out.before(behind.update, Var("i")); }));
}

TEST_CASE("what a reader may find in a scatter's values is not overwritten", "[scatters]") {
  Function f("gathered");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), k("k", 0, N);
  Input at = f.input("at", i64, {N});
  Computation S = f.computation("S", {i}, at(i));
  S.update({j}, {at(j)}, at(j) + 1);
  Computation out = f.computation("out", {k}, S(at(k)));
  Computation update = S.update({i}, {i}, S(i) * 3);
  CHECK(refuses(f, Code::E0301_value_overwritten, [&] { out.before(update, Var("i")); }));
  CHECK(refuses(f, Code::E0301_value_overwritten, [&] { out.after(update); }));
}

TEST_CASE("a scatter under a condition, in two dimensions", "[scatters]") {
  Function f("marked");
  Var i("i", 0, 4), j("j", 0, 5), k("k", 0, 9);
  Input at = f.input("at", u8, {9});
  Computation S = f.computation("S", {i, j}, constant(i32, 0));
  S.update({k}, {cast(i64, at(k)) % 4, cast(i64, at(k)) / 64}, S(0, 0) + cast(i32, k) + 1)
      .where(at(k) > 40);
  Judged marked(f, {at.buffer(), S.buffer()});
  CHECK(to_c_text(marked.tree()).find("checked") == std::string::npos);
  marked.check({});
}

TEST_CASE("what a scatter cannot be", "[scatters]") {
  Function f("wrong");
  Param N = f.param("N");
  Var i("i", 0, N), k("k", 0, N);
  Input at = f.input("at", i32, {N});
  Computation S = f.computation("S", {i}, constant(i32, 0));
  CHECK(refuses(f, Code::E0117_unsupported_expression,
                [&] { S.update({i}, {at(i)}, sum(k, at(k))); }));
  CHECK(refuses(f, Code::E0101_unknown_computation, [&] { S.update({i}, {at(k) * 2}, at(i)); }));
  CHECK(refuses(f, Code::E0109_wrong_arity, [&] { S.update({i}, {at(i), i}, at(i)); }));
}

// ---- atomic scatters ----

TEST_CASE("an atomic histogram in parallel", "[scatters]") {
  Histogram h;
  h.add.atomic().parallelize(h.i);
  Judged histogram(h.f, h.arguments());
  for (const auto& [n, bins] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {0, 3}, {1, 1}, {10, 4}, {4000, 7}, {4000, 1}}) {
    const auto given = h.inside(n, bins);
    const auto out = histogram.check({n, bins}, given);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(bins));
    for (std::int64_t i = 0; i < n; ++i) ++counts[std::size_t(i * i % bins)];
    for (std::int64_t b = 0; b < bins; ++b)
      CHECK(out["hist"].integer({b}) == counts[std::size_t(b)]);
  }
}

TEST_CASE("atomic steps commute, other accesses do not", "[scatters]") {
  Histogram h;
  Computation total = h.f.computation("total", {h.b}, h.hist(h.b) * 2);
  h.add.atomic();
  h.add.reverse(h.i);
  h.add.split(h.i, 4, Var("i0"), Var("i1"));
  h.add.interchange(Var("i0"), Var("i1"));
  CHECK(refuses(h.f, Code::E0201_dependence_reversed, [&] { h.add.before(h.hist, root); }));
  CHECK(refuses(h.f, Code::E0201_dependence_reversed, [&] { total.before(h.add, root); }));
  // A reader needs all steps, not only the last one in the algorithm.
  CHECK(refuses(h.f, Code::E0201_dependence_reversed, [&] { total.after(h.add, Var("i1")); }));
  h.add.parallelize(Var("i1"));
  Judged judged(h.f, {h.bin.buffer(), h.hist.buffer(), total.buffer()});
  for (const std::int64_t n : {0, 3, 11}) judged.check({n, 3}, h.inside(n, 3));
}

TEST_CASE("what a step adds may be made in its own iteration", "[scatters]") {
  Function f("weighted");
  Param N = f.param("N"), B = f.param("B");
  Var i("i", 0, N), b("b", 0, B);
  Input bin = f.input("bin", i32, {N}), in = f.input("in", i32, {N});
  Computation h = f.computation("h", {b}, constant(i32, 0));
  Computation weight = f.computation("weight", {i}, in(i)*in(i));
  Computation add = h.update({i}, {bin(i)}, weight(i) + h(bin(i)));
  weight.compute_at(add, i);
  add.atomic().parallelize(i);
  Judged judged(f, {bin.buffer(), in.buffer(), h.buffer()});
  reference::Arrays given;
  given["bin"] = reference::filled(f.program(), {{"N", 30}, {"B", 4}}, "bin",
                                   [](const Point& p) { return double(p[0] % 3); });
  judged.check({30, 4}, given);
}

TEST_CASE("what a step reads of another array in its buffer is not part of it", "[scatters]") {
  Function f("shared");
  Param N = f.param("N");
  f.assume(N >= 1);
  Var i("i", 0, N), b("b", N, 2 * N);
  Input bin = f.input("bin", i64, {N}), in = f.input("in", i32, {2 * N});
  Computation h = f.computation("h", {b}, in(b));
  const Expr own = clamp(bin(i), N, 2 * N - 1);
  Computation add = h.update({i}, {own}, h(own) + in(i));
  h.store_in(in.buffer(), {b});
  add.atomic().parallelize(i);
  // In the first half, steps would overwrite what other steps read.
  CHECK(refuses(f, Code::E0301_value_overwritten, [&] { h.store_in(in.buffer(), {b - N}); }));
  Judged judged(f, {bin.buffer(), in.buffer()});
  for (const std::int64_t n : {1, 7}) judged.check({n});
}

TEST_CASE("lanes of one instruction are not atomic", "[scatters]") {
  Histogram h;
  h.add.atomic();
  CHECK(refuses(h.f, Code::E0305_lanes_collide, [&] { h.add.vectorize(h.i, 4); }));
}

TEST_CASE("an atomic scatter of minima, under a condition, between readers", "[scatters]") {
  Function f("sweeps");
  Param T = f.param("T"), N = f.param("N"), B = f.param("B");
  Var t("t", 0, T), i("i", 0, N), b("b", 0, B);
  Input bin = f.input("bin", i32, {T, N}), in = f.input("in", i32, {T, N});
  Computation best = f.computation("best", {b}, constant(i32, 1000000));
  Computation step = best, seen = best;
  f.loop(t, [&] {
    step = best.update({t, i}, {bin(t, i)}, min(in(t, i), best(bin(t, i))));
    step.where(in(t, i) > 3);
    seen = f.computation("seen", {t, b}, best(b));
  });
  step.atomic().parallelize(i);
  CHECK(refuses(f, Code::E0202_dependence_carried, [&] { step.parallelize(t); }));
  Judged judged(f, {bin.buffer(), in.buffer(), best.buffer(), seen.buffer()});
  for (const std::int64_t n : {0, 1, 9}) {
    reference::Arrays given;
    given["bin"] = reference::filled(f.program(), {{"T", 3}, {"N", n}, {"B", 4}}, "bin",
                                     [](const Point& p) { return double((p[0] + p[1] * 3) % 4); });
    judged.check({3, n, 4}, given);
  }
}

namespace {

// h(b) = 77, then h(bin(i)) = step(h(bin(i)), in(i)) for all i concurrently, compared with a plain
// loop; bin(i) = i * i % 7.
template <typename T, typename Step>
void check_steps(Step step) {
  const Type type = Expr(T{}).type();
  Function f("steps");
  Param N = f.param("N");
  Var i("i", 0, N), b("b", 0, 7);
  Input bin = f.input("bin", i32, {N}), in = f.input("in", type, {N});
  Computation h = f.computation("h", {b}, cast(type, 77));
  Computation add = h.update({i}, {bin(i)}, step(h(bin(i)), in(i)));
  add.atomic().parallelize(i);
  const JitFunction kernel = f.jit({bin.buffer(), in.buffer(), h.buffer()});
  constexpr std::int64_t n = 3000;
  Array<std::int32_t> bins({n});
  Array<T> values({n}), result({7});
  std::vector<T> expected(7, T(77));
  for (std::int64_t x = 0; x < n; ++x) {
    bins(x) = std::int32_t(x * x % 7);
    values(x) = T(std::is_floating_point_v<T> ? x % 16 : x * 2654435761);
    T& element = expected[std::size_t(bins(x))];
    element = T(step(element, values(x)));
  }
  REQUIRE(kernel({n}, {bins, values, result}) == 0);
  for (std::int64_t x = 0; x < 7; ++x) CHECK(result(x) == expected[std::size_t(x)]);
}

template <typename T>
void check_integer_steps() {
  check_steps<T>([](const auto& a, const auto& b) {
    if constexpr (std::is_integral_v<std::decay_t<decltype(a)>>)
      return std::uint64_t(a) - std::uint64_t(b);  // int would overflow
    else
      return a - b;
  });
  check_steps<T>([](const auto& a, const auto& b) { return a & b; });
  check_steps<T>([](const auto& a, const auto& b) { return a | b; });
  check_steps<T>([](const auto& a, const auto& b) { return b ^ a; });
}

}  // namespace

TEST_CASE("atomic steps that subtract, and of bits", "[scatters]") {
  check_integer_steps<std::int8_t>();
  check_integer_steps<std::uint16_t>();
  check_integer_steps<std::int32_t>();
  check_integer_steps<std::uint64_t>();
  check_steps<float>([](const auto& a, const auto& b) { return a - b; });
}

TEST_CASE("an atomic scatter of bits is what all judges say", "[scatters]") {
  Histogram h;
  Computation flip = h.hist.update({h.i}, {h.bin(h.i)}, h.hist(h.bin(h.i)) ^ cast(i32, h.i));
  Computation lower = h.hist.update({h.i}, {h.bin(h.i)}, h.hist(h.bin(h.i)) - h.bin(h.i));
  flip.atomic().parallelize(h.i);
  lower.atomic().parallelize(h.i);
  CHECK(refuses(h.f, Code::E0201_dependence_reversed, [&] { lower.before(flip, root); }));
  Judged judged(h.f, h.arguments());
  for (const std::int64_t n : {0, 3, 11}) judged.check({n, 3}, h.inside(n, 3));
}

TEST_CASE("floats in any order are not an exact sum", "[scatters]") {
  Function f("weights");
  Param N = f.param("N"), B = f.param("B");
  Var i("i", 0, N), b("b", 0, B);
  Input bin = f.input("bin", i64, {N}), in = f.input("in", f32, {N});
  Computation w = f.computation("w", {b}, 0.0f);
  Computation add = w.update({i}, {bin(i)}, w(bin(i)) + in(i));
  add.atomic().parallelize(i);
  CodegenOptions exact;
  exact.floats = Floats::exact;
  CHECK(refuses(f, Code::E0504_sum_not_in_order,
                [&] { f.jit({bin.buffer(), in.buffer(), w.buffer()}, exact); }));
  Options fast;
  fast.floats = Floats::fast;
  fast.bound = 1e-4;
  Judged judged(f, {bin.buffer(), in.buffer(), w.buffer()}, fast);
  reference::Arrays given;
  given["bin"] = reference::filled(f.program(), {{"N", 50}, {"B", 4}}, "bin",
                                   [](const Point& p) { return double(p[0] * p[0] % 4); });
  judged.check({50, 4}, given);
}

TEST_CASE("updates that are not atomic steps are refused", "[scatters]") {
  const auto refused = [](const std::function<Expr(Computation&, const Expr&)>& value) {
    Function f("bad");
    Param N = f.param("N"), B = f.param("B");
    f.assume(B >= 1);
    Var i("i", 0, N), b("b", 0, B);
    Input bin = f.input("bin", i32, {N});
    Computation h = f.computation("h", {b}, constant(i32, 0));
    Computation add = h.update({i}, {bin(i)}, value(h, bin(i)));
    return refuses(f, Code::E0106_bad_argument, [&] { add.atomic(); });
  };
  CHECK(refused([](Computation& h, const Expr& e) { return 1 - h(e); }));
  CHECK(refused([](Computation& h, const Expr& e) { return h(e) - h(e); }));
  CHECK(refused([](Computation& h, const Expr& e) { return h(e) << 1; }));
  CHECK(refused([](Computation& h, const Expr& e) { return h(e) * 2 + 1; }));
  CHECK(refused([](Computation& h, const Expr& e) { return h(e) + h(e); }));
  CHECK(refused([](Computation& h, const Expr&) { return h(0) + 1; }));
  CHECK(refused([](Computation&, const Expr& e) { return e + 1; }));
  Histogram h;
  CHECK(refuses(h.f, Code::E0106_bad_argument, [&] { h.hist.atomic(); }));
}

}  // namespace strata::test::scatters_test
