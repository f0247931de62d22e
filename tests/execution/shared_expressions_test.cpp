// Expressions of 60 levels, each using the level below at least twice: 2^60 paths.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/strata.h>

#include <functional>

#include "layers/text/text.h"

namespace strata::test::shared_expressions_test {

namespace {

constexpr int levels = 60, size = 100;

// The results of out(i) = value(i), which is scheduled, printed, parsed and run.
Array<std::int32_t> results_of(const std::function<Expr(const Input&, const Expr&)>& value) {
  Function f("shared");
  Param N = f.param("N");
  Var i("i", 0, N), o("o"), q("q");
  Input in = f.input("in", i32, {N});
  Computation out = f.computation("out", {i}, value(in, i));
  out.split(i, 32, o, q).vectorize(q, 8);
  out.parallelize(o);
  const std::string text = f.text();
  CHECK(to_text(parse_program(std::make_shared<Session>(), text)) == text);
  JitFunction run = f.jit({in.buffer(), out.buffer()});
  Array<std::int32_t> given({size}), made({size});
  for (int x = 0; x < size; ++x) given(x) = 7 * x - 300;
  REQUIRE(run({size}, {given, made}) == 0);
  return made;
}

std::uint32_t given(int x) { return std::uint32_t(7 * x - 300); }

}  // namespace

TEST_CASE("sixty squarings take no longer than sixty products", "[sharing]") {
  const auto made = results_of([](const Input& in, const Expr& i) {
    Expr value = in(i);
    for (int n = 0; n < levels; ++n) value = value * value;
    return value;
  });
  for (int x = 0; x < size; ++x) {
    std::uint32_t expected = given(x);
    for (int n = 0; n < levels; ++n) expected *= expected;
    REQUIRE(std::uint32_t(made(x)) == expected);
  }
}

TEST_CASE("selects on data and on iterators share what both sides use", "[sharing]") {
  const auto made = results_of([](const Input& in, const Expr& i) {
    Expr value = in(i);
    for (int n = 0; n < levels; ++n) {
      const Expr condition = n % 2 ? in(i) > n : i < 3 * n;
      value = select(condition, value + 1, value * 3);
    }
    return value;
  });
  for (int x = 0; x < size; ++x) {
    std::uint32_t expected = given(x);
    for (int n = 0; n < levels; ++n) {
      const bool condition = n % 2 ? std::int32_t(given(x)) > n : x < 3 * n;
      expected = condition ? expected + 1 : expected * 3;
    }
    REQUIRE(std::uint32_t(made(x)) == expected);
  }
}

TEST_CASE("selects with a modulus each are an index whatever their number is", "[sharing]") {
  Function f("moduli");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input in = f.input("in", i32, {N});
  Expr at = i;
  for (int k = 0; k < 12; ++k) at = select((at + k) % (5 + 2 * k) < 2, at + 1, at / 2);
  Computation out = f.computation("out", {i}, in(clamp(at, 0, N - 1)));
  JitFunction run = f.jit({in.buffer(), out.buffer()});
  Array<std::int32_t> from({size}), made({size});
  for (int x = 0; x < size; ++x) from(x) = 7 * x - 300;
  REQUIRE(run({size}, {from, made}) == 0);
  for (int x = 0; x < size; ++x) {
    int expected = x;
    for (int k = 0; k < 12; ++k)
      expected = (expected + k) % (5 + 2 * k) < 2 ? expected + 1 : expected / 2;
    REQUIRE(made(x) == 7 * std::min(expected, size - 1) - 300);
  }
}

TEST_CASE("sixty extrema of sums of the one below are an index", "[sharing]") {
  const auto made = results_of([](const Input& in, const Expr& i) {
    Expr at = i;
    for (int n = 0; n < levels; ++n) at = min(at + 1, at + 2);
    return in(clamp(at - levels, 0, size - 1));
  });
  for (int x = 0; x < size; ++x) REQUIRE(std::uint32_t(made(x)) == given(x));
}

TEST_CASE("sixteen inlined stages read each element once", "[sharing]") {
  constexpr int stages = 16;
  Function f("stages");
  Param N = f.param("N");
  Input in = f.input("in", i32, {N});
  std::vector<Computation> made;
  for (int k = 1; k <= stages; ++k) {
    Var i("i", k, N - k);
    const auto below = [&](const Expr& at) { return made.empty() ? in(at) : made.back()(at); };
    made.push_back(f.computation("s" + std::to_string(k), {i},
                                 below(i - 1) * below(i) + select(i > 5, below(i + 1), below(i))));
  }
  for (int k = 0; k + 1 < stages; ++k) made[std::size_t(k)].set_inline();
  JitFunction run = f.jit({in.buffer(), made.back().buffer()});
  Array<std::int32_t> from({size}), to({size - stages});
  std::vector<std::uint32_t> expected(size);
  for (int x = 0; x < size; ++x) expected[std::size_t(x)] = std::uint32_t(from(x) = 7 * x - 300);
  for (int k = 1; k <= stages; ++k) {
    const std::vector<std::uint32_t> below = expected;
    for (int x = k; x < size - k; ++x) {
      const auto at = std::size_t(x);
      expected[at] = below[at - 1] * below[at] + (x > 5 ? below[at + 1] : below[at]);
    }
  }
  REQUIRE(run({size}, {from, to}) == 0);
  for (int x = stages; x < size - stages; ++x)
    REQUIRE(std::uint32_t(to(x)) == expected[std::size_t(x)]);
}

}  // namespace strata::test::shared_expressions_test
