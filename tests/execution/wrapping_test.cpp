// Arithmetic on iterators and parameters that may wrap is not affine: what depends on it counts as
// data. If it does not wrap for ordinary sizes, the kernel checks that the sizes are ordinary.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/runtime.h>
#include <strata/strata.h>

#include "core/expr/expr_text.h"
#include "layers/text/text.h"
#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::wrapping_test {

namespace {

constexpr std::int64_t half = std::int64_t{1} << 62;
constexpr std::int64_t lcg = 6364136223846793005, odd = 1442695040888963407;

struct Wrapping {
  Function f{"wrapping"};
  Param N = f.param("N");
  Var i{"i", 0, N};
  Input in = f.input("in", i32, {N}), other = f.input("other", i32, {N});

  void check(const Computation& s) {
    Judged judged(f, {in.buffer(), other.buffer(), s.buffer()});
    for (const std::int64_t n : {0, 1, 3, 9}) judged.check({n});
  }
};

}  // namespace

TEST_CASE("a condition that wraps does not cut reads", "[wrapping]") {
  Function f("behind");
  Var i("i", 0, 4);
  Input in = f.input("in", i32, {1});
  // In Z only i = 0 would read; but 2 * 2^62 is -2^63.
  const auto refusal = refusal_of([&] { f.computation("s", {i}, select(i * half > 5, 1, in(i))); });
  CHECK(refusal.code == Code::E0113_read_outside_domain);
}

TEST_CASE("conditions that wrap choose as they are computed", "[wrapping]") {
  Wrapping w;
  const Var& i = w.i;
  const std::vector<Expr> conditions{i * half > 5,
                                     i * lcg + odd > 0,
                                     (i * lcg + odd) % 1000 < 500,
                                     (i << 62) > 0,
                                     -(i * half) - 1 < 0,
                                     abs(i * lcg) < 0 || i * half + half < 0,
                                     min(i * lcg, i) < 0,
                                     select(i > 2, i * lcg, i) < 0,
                                     (i * half) / half == i,
                                     (w.N * half + i) > 0,
                                     i * half > 5 && i > 1};
  std::vector<Buffer> arguments{w.in.buffer(), w.other.buffer()};
  for (std::size_t n = 0; n < conditions.size(); ++n) {
    Computation s =
        w.f.computation("s" + std::to_string(n), {i}, select(conditions[n], w.in(i), w.other(i)));
    if (n % 2 == 0) s.vectorize(i, 4);
    arguments.push_back(s.buffer());
  }
  Judged judged(w.f, arguments);
  for (const std::int64_t n : {0, 1, 3, 9}) judged.check({n});
}

TEST_CASE("what is read under a condition that wraps is computed", "[wrapping]") {
  Wrapping w;
  Computation a = w.f.computation("a", {w.i}, w.in(w.i) + 1);
  Computation s = w.f.computation(
      "s", {w.i}, select((w.i * lcg + odd) % 1000 < 500, a(w.i), constant(i32, -1)));
  a.compute_at(s, w.i);
  w.check(s);
}

TEST_CASE("a parameter in a condition that wraps may be any", "[wrapping]") {
  Function f("parameter");
  Param N = f.param("N"), S = f.param("S");
  Var i("i", 0, N);
  Input in = f.input("in", i32, {N}), other = f.input("other", i32, {N});
  Computation s = f.computation("s", {i}, select(S * half > 0, in(i), other(i)));
  const auto kernel = f.jit({in.buffer(), other.buffer(), s.buffer()});
  Array<std::int32_t> a({2}, 1), b({2}, 2), out({2}, 0);
  for (const auto& [value, expected] : std::vector<std::pair<std::int64_t, int>>{
           {1, 1}, {2, 2}, {3, 2}, {4, 2}, {5, 1}, {half + 1, 1}, {-1, 2}, {-3, 1}}) {
    REQUIRE(kernel({2, value}, {a, b, out}) == 0);
    CHECK(out(1) == expected);
  }
}

TEST_CASE("parameters with which a condition would wrap are refused at the entry", "[wrapping]") {
  Function f("entry");
  Param N = f.param("N"), S = f.param("S");
  Var i("i", 0, N);
  Input in = f.input("in", i32, {N}), other = f.input("other", i32, {N});
  Computation s = f.computation("s", {i}, select(1000 * S + i > 0, in(i), other(i)));
  const auto kernel = f.jit({in.buffer(), other.buffer(), s.buffer()});
  Array<std::int32_t> a({2}, 1), b({2}, 2), out({2}, 0);
  REQUIRE(kernel({2, std::int64_t{1} << 50}, {a, b, out}) == 0);
  CHECK(out(1) == 1);
  CHECK(kernel({2, std::int64_t{1} << 54}, {a, b, out}) == strata_error_parameter_range);
}

TEST_CASE("parameters with which a bound or a where would wrap are refused", "[wrapping]") {
  Function f("bounds");
  Param N = f.param("N"), S = f.param("S");
  // Over the integers 4096 S / 4096 is S, and the bound is 2.
  Var i("i", 0, min((4096 * S) / 4096, 2));
  Computation s = f.computation("s", {i}, constant(i32, 7));
  Computation h = f.computation("h", {Var("j", 0, 2)}, constant(i32, 1));
  Computation u = h.update({Var("j", 0, 2)}, {variable("j")}, constant(i32, 2));
  u.where((4096 * N) / 4096 > variable("j"));
  const std::string text = to_text(f.program());
  CHECK(text.find("assume S >= -1125899906842624 && S <= 1125899906842624") != std::string::npos);
  const auto kernel = f.jit({s.buffer(), h.buffer()});
  Array<std::int32_t> a({2}, 0), b({2}, 0);
  const std::int64_t large = std::int64_t{1} << 50, too_large = 2 * large;
  REQUIRE(kernel({large, large}, {a, b}) == 0);
  CHECK(a(1) == 7);
  CHECK(b(1) == 2);
  CHECK(kernel({2, too_large}, {a, b}) == strata_error_assumption);
  CHECK(kernel({too_large, 2}, {a, b}) == strata_error_assumption);
}

TEST_CASE("bounds, elements and assumptions that wrap are not affine", "[wrapping]") {
  Wrapping w;
  const auto code = [](const auto& action) { return refusal_of(action).code; };
  const Expr many = w.N * half;
  CHECK(code([&] { w.f.computation("s", {Var("j", 0, many)}, w.in(0)); }) ==
        Code::E0111_not_affine);
  CHECK(code([&] { w.f.assume(many > 0); }) == Code::E0111_not_affine);
  CHECK(code([&] { w.f.input("x", i32, {many}); }) == Code::E0111_not_affine);
  Computation s = w.f.computation("s", {w.i}, w.in(w.i));
  const auto refusal = refusal_of([&] { s.where(w.i * lcg > 0); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation.find("its arithmetic wraps") != std::string::npos);
}

TEST_CASE("an update under a condition that wraps leaves what it leaves", "[wrapping]") {
  Wrapping w;
  Computation s = w.f.computation("s", {w.i}, w.in(w.i));
  Computation u = s.update({w.i}, {w.i}, w.other(w.i));
  u.where((w.i * lcg + odd) % 8 < 3);
  w.check(s);
}

TEST_CASE("an update of an element that wraps is a scatter", "[wrapping]") {
  Wrapping w;
  Computation s = w.f.computation("s", {w.i}, w.in(w.i));
  s.update({w.i}, {((w.i * lcg + odd) >> 40) % w.N}, w.other(w.i));
  w.check(s);
}

TEST_CASE("indices that wrap are indices to check", "[wrapping]") {
  const Expr i = variable("i");
  for (const Expr& index : {(i * lcg + odd) % 8, clamp(i * half + half, 0, 7),
                            (i * half + 6 * i) % 6, (4 * i + i * half) / 4 % 8, ((i << 62) + i) % 8,
                            i * half / half + 2, max(-(i * lcg), 0) % 7}) {
    Wrapping w;
    Input small = w.f.input("small", i32, {8});
    Computation s = w.f.computation("s", {w.i}, w.in(i) + small(index));
    INFO(to_text(index));
    Judged judged(w.f, {w.in.buffer(), w.other.buffer(), small.buffer(), s.buffer()});
    for (const std::int64_t n : {0, 1, 3, 9}) judged.check({n});
  }
}

TEST_CASE("constants of uint64 are numbers from 0 on", "[wrapping]") {
  Wrapping w;
  const Expr most = constant(u64, -1), one = constant(u64, 1);
  Computation s = w.f.computation("s", {w.i}, select(most > one, w.in(w.i), w.other(w.i)));
  Computation t = w.f.computation("t", {w.i}, select(most + one > one, w.in(w.i), w.other(w.i)));
  Computation v = w.f.computation(
      "v", {w.i}, select(most / 2 < one || cast(i64, most) > 0, w.in(w.i), w.other(w.i)));
  Judged judged(w.f, {w.in.buffer(), w.other.buffer(), s.buffer(), t.buffer(), v.buffer()});
  for (const std::int64_t n : {0, 1, 3, 9}) judged.check({n});
}

TEST_CASE("conditions of narrow types wrap at their width", "[wrapping]") {
  Wrapping w;
  const Var& i = w.i;
  const std::vector<Expr> conditions{
      cast(i8, i) * cast(i8, 50) > cast(i8, 0), cast(i64, cast(u8, i * 100)) < i * 100,
      constant(i8, 100) + constant(i8, 100) > constant(i8, 0), cast(i16, 300 * i) > cast(i16, 0),
      cast(i64, cast(i32, i * (std::int64_t{1} << 30))) > 0};
  std::vector<Buffer> arguments{w.in.buffer(), w.other.buffer()};
  for (std::size_t n = 0; n < conditions.size(); ++n)
    arguments.push_back(
        w.f.computation("s" + std::to_string(n), {i}, select(conditions[n], w.in(i), w.other(i)))
            .buffer());
  Judged judged(w.f, arguments);
  for (const std::int64_t n : {0, 1, 3, 9}) judged.check({n});
}

}  // namespace strata::test::wrapping_test
