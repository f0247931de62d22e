// Arithmetic on what is read, in indices: it wraps at 64 bits, as everywhere.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/strata.h>

#include <limits>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

using namespace strata;
using namespace strata::test;

namespace {

const Var i("i");
constexpr std::int64_t golden = 2654435761;

}  // namespace

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
  CHECK(out(0) == 100);  // the greatest number plus 1 is the least one
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
  Computation s = f.computation("s", {}, sum(Var("k", 0, (std::int64_t{1} << 32) + 5),
                                             cast(i64, 1)));
  const auto refusal = refusal_of([&] { f.jit({s.buffer()}); });
  CHECK(refusal.code == Code::E0502_code_generation_failed);
  CHECK(refusal.explanation.find("the loop k makes 4294967301 steps") != std::string::npos);
}
