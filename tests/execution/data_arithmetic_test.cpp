// Arithmetic on data in indices wraps at 64 bits, as everywhere.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/strata.h>

#include <algorithm>
#include <limits>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::data_arithmetic_test {

namespace {

const Var i("i");
constexpr std::int64_t golden = 2654435761;
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t large = std::int64_t{1} << 62;

std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
  return std::int64_t(std::uint64_t(a) + std::uint64_t(b));
}

std::int64_t quotient(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0); }

// s(i) = in(index(at(i))) with in(n) = n, compared with a plain loop, for data near 2^63.
template <typename Index, typename Expected>
void check_near_limits(const std::string& name, const Index& index, const Expected& expected) {
  for (const bool in_vectors : {false, true}) {
    Function f(name);
    Input in = f.input("in", i32, {6}), at = f.input("at", i64, {20});
    Computation s = f.computation("s", {Var("i", 0, 20)}, in(index(at(i))));
    if (in_vectors) s.vectorize(i, 4);
    const auto kernel = f.jit({in.buffer(), at.buffer(), s.buffer()});
    Array<std::int32_t> table({6}), out({20}, -1);
    Array<std::int64_t> data({20});
    for (int n = 0; n < 6; ++n) table(n) = n;
    for (int n = 0; n < 20; ++n) data(n) = n % 3 == 0 ? greatest - n : n % 3 == 1 ? least + n : n;
    REQUIRE(kernel({}, {table, data, out}) == 0);
    for (std::int64_t n = 0; n < 20; ++n) {
      CAPTURE(n, data(n));
      CHECK(out(n) == expected(n, data(n)));
    }
  }
}

}  // namespace

TEST_CASE("a remainder of a sum of data and multiples, near 2^63", "[gathers]") {
  check_near_limits(
      "remainders", [](const Expr& x) { return (6 * i + x) % 6; },
      [](std::int64_t n, std::int64_t x) {
        const std::int64_t sum = wrapping_sum(6 * n, x);
        return sum - 6 * quotient(sum, 6);
      });
}

TEST_CASE("a quotient of a sum of data and multiples, near 2^63", "[gathers]") {
  check_near_limits(
      "quotients", [](const Expr& x) { return clamp((4 * i + x) / 4, 0, 2); },
      [](std::int64_t n, std::int64_t x) {
        const std::int64_t whole = quotient(wrapping_sum(4 * n, x), 4);
        return std::clamp(whole, std::int64_t{0}, std::int64_t{2});
      });
}

TEST_CASE("an extremum of data of which something is subtracted, near 2^63", "[gathers]") {
  check_near_limits(
      "extrema", [](const Expr& x) { return max(min(x, 10) - 20, 0) / large; },
      [](std::int64_t, std::int64_t x) {
        const std::int64_t ten = 10, none = 0;
        return std::max(wrapping_sum(std::min(x, ten), -20), none) / large;
      });
}

TEST_CASE("a condition on data that are shifted to the ends of 64 bits", "[predicates]") {
  Function f("shifted");
  Param N = f.param("N");
  Var i("i", 0, N), k("k", 0, N);
  Input x = f.input("x", i32, {N});
  Computation s = f.computation("s", {i}, sum(k, cast(i32, k) + 1));
  s.where(2 * k + 5 < (cast(i64, x(i)) << 63));
  const auto kernel = f.jit({x.buffer(), s.buffer()});
  Array<std::int32_t> data({9}), out({9}, -1);
  for (int n = 0; n < 9; ++n) data(n) = n;
  REQUIRE(kernel({9}, {data, out}) == 0);
  for (int n = 0; n < 9; ++n) CHECK(out(n) == 0);  // neither 0 nor -2^63 is larger than 5
}

TEST_CASE("an iterator and a number are compared with data near 2^63", "[gathers]") {
  for (const bool in_vectors : {false, true}) {
    Function f(in_vectors ? "compared_v" : "compared");
    Input at = f.input("at", i64, {20});
    Var i("i", 7, 20);
    Computation s = f.computation("s", {i}, select(min(i, 12) + 5 < at(i), 1, 2));
    Computation t = f.computation("t", {i}, select(i < at(i), 1, 2));
    if (in_vectors) s.vectorize(i, 4);
    t.unroll(i, 4);
    const auto kernel = f.jit({at.buffer(), s.buffer(), t.buffer()});
    Array<std::int64_t> data({20});
    for (int n = 0; n < 20; ++n) data(n) = n % 2 ? least + n / 4 : greatest - n;
    Array<std::int32_t> one({20}, 0), other({20}, 0);
    REQUIRE(kernel({}, {data, one, other}) == 0);
    for (int n = 7; n < 20; ++n) CHECK(one(n) == (n % 2 ? 2 : 1));
    for (int n = 7; n < 20; ++n) CHECK(other(n) == (n % 2 ? 2 : 1));
  }
}

TEST_CASE("a product of data that may wrap is an index to check", "[gathers]") {
  Function f("hashed");
  Param N = f.param("N");
  Input a = f.input("a", i32, {1024}), key = f.input("key", i64, {N});
  const Expr small = clamp(key(i), 0, (std::int64_t{1} << 32) - 1);
  Computation s = f.computation("s", {Var("i", 0, N)}, a(small * golden / (std::int64_t{1} << 54)));
  const auto kernel = f.jit({a.buffer(), key.buffer(), s.buffer()});
  Array<std::int32_t> table({1024}), out({2}, 0);
  for (int n = 0; n < 1024; ++n) table(n) = n;
  Array<std::int64_t> keys({2});
  keys(0) = 1'000'000'000;  // 2654435761 * 10^9 < 2^63
  keys(1) = 3;
  REQUIRE(kernel({2}, {table, keys, out}) == 0);
  CHECK(out(0) == golden * 1'000'000'000 / (std::int64_t{1} << 54));
  CHECK(out(1) == 0);
  keys(1) = 0xffffffff;  // wraps, to an index below 0
  CHECK(kernel({2}, {table, keys, out}) == strata_error_index_out_of_range);
}

TEST_CASE("a remainder of a product that wraps is a good index", "[gathers]") {
  Function f("folded");
  Param N = f.param("N");
  Input a = f.input("a", i32, {1024}), key = f.input("key", i64, {N}), k32 = f.input("k", i32, {N});
  Computation s = f.computation("s", {Var("i", 0, N)}, a(key(i) * golden % 1024));
  Computation t = f.computation("t", {Var("i", 0, N)}, a(cast(i64, k32(i)) * golden % 1024));
  s.vectorize(i, 4);
  Judged judged(f, {a.buffer(), key.buffer(), k32.buffer(), s.buffer(), t.buffer()});
  for (const std::int64_t n : {0, 1, 5, 9}) judged.check({n});
}

TEST_CASE("data on a side of a select wraps, too", "[gathers]") {
  Function f("selected");
  Param N = f.param("N");
  f.assume(N >= 2);
  Input a = f.input("a", i32, {N}), at = f.input("at", i64, {N}), c = f.input("c", i32, {N});
  const Expr chosen = select(c(i) > 0, at(i), 0) + 1;
  Computation s = f.computation("s", {Var("i", 0, N)}, a(clamp(chosen, 1, N) - 1));
  const auto kernel = f.jit({a.buffer(), at.buffer(), c.buffer(), s.buffer()});
  Array<std::int32_t> table({3}), choose({3}, 1), out({3}, 0);
  for (int n = 0; n < 3; ++n) table(n) = 100 + n;
  Array<std::int64_t> index({3}, std::numeric_limits<std::int64_t>::max());
  index(1) = 1;
  REQUIRE(kernel({3}, {table, index, choose, out}) == 0);
  CHECK(out(0) == 100);  // the largest number plus 1 is the smallest
  CHECK(out(1) == 101);
}

TEST_CASE("selects of one value in each other take no time to compile", "[gathers]") {
  Function f("nested");
  Param N = f.param("N");
  Input a = f.input("a", i32, {N});
  Expr x = a(i);
  for (int n = 0; n < 24; ++n) x = select((x & (1 << n)) != 0, x * 3, x + n);
  Computation s = f.computation("s", {Var("i", 0, N)}, x);
  Judged judged(f, {a.buffer(), s.buffer()});
  judged.check({5});
}

TEST_CASE("reads under conditions on reads under conditions take no time to compile", "[gathers]") {
  Function f("chain");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input a = f.input("a", i64, {N});
  Expr x = a(i);
  for (std::int64_t n = 1; n <= 4; ++n)
    x = select(i >= 1, select(x > n * 100, a(i - 1) - x, x + 1), -x);
  Computation s = f.computation("s", {i}, x);
  Judged judged(f, {a.buffer(), s.buffer()});
  judged.check({19});
}

TEST_CASE("a loop of more steps than a thread counts is refused", "[sizes]") {
  Function f("counting");
  Computation s =
      f.computation("s", {}, sum(Var("k", 0, (std::int64_t{1} << 32) + 5), cast(i64, 1)));
  const auto refusal = refusal_of([&] { f.jit({s.buffer()}); });
  CHECK(refusal.code == Code::E0502_code_generation_failed);
  CHECK(refusal.explanation.find("the loop k has 4294967301 iterations") != std::string::npos);
}

}  // namespace strata::test::data_arithmetic_test
