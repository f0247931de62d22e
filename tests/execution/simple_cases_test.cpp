// Simple programs from Tiramisu's tests, on random data.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/strata.h>

#include <set>

#include "tests/execution/harness.h"

namespace strata::test::simple_cases_test {

namespace {

// The distinct values of an array's elements.
std::set<std::int64_t> values_of(const reference::Array& array) {
  std::set<std::int64_t> values;
  for (const reference::Point& p : array.elements()) values.insert(array.integer(p));
  return values;
}

void tile_in_parallel(Computation& s) {
  const Var i("i"), j("j"), i0("i0"), j0("j0"), i1("i1"), j1("j1");
  s.tile(i, j, 2, 2, i0, j0, i1, j1);
  s.parallelize(i0);
}

}  // namespace

TEST_CASE("tile and parallelize a fill", "[case-1]") {
  Function f("fill");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Computation seven = f.computation("seven", {i, j}, cast(u8, 3) + cast(u8, 4));
  Computation s = f.computation("s", {i, j}, cast(u8, 10 * i + j));
  tile_in_parallel(seven);
  tile_in_parallel(s);
  Judged fill(f, {seven.buffer(), s.buffer()});
  const auto out = fill.check({10});
  CHECK(values_of(out["seven"]) == std::set<std::int64_t>{7});
  CHECK(out["s"].integer({9, 9}) == 99);
  CHECK(fill.check({30})["s"].integer({29, 28}) == (290 + 28) % 256);
  for (const std::int64_t n : {0, 1, 2, 3, 11}) fill.check({n});
}

TEST_CASE("a fill of 100 x 100 and 1000 x 1000", "[case-1]") {
  Function f("large_fill");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Computation s = f.computation("s", {i, j}, cast(u8, 10 * i + j));
  tile_in_parallel(s);
  const JitFunction fill = f.jit({s.buffer()});
  for (const std::int64_t n : {100, 1000}) {
    Array<std::uint8_t> out({n, n});
    REQUIRE(fill({n}, {out}) == 0);
    std::int64_t wrong = 0;
    for (std::int64_t x = 0; x < n; ++x)
      for (std::int64_t y = 0; y < n; ++y) wrong += out(x, y) != std::uint8_t(10 * x + y);
    CHECK(wrong == 0);
  }
}

TEST_CASE("unroll by what divides N and by what does not", "[case-2]") {
  for (const std::int64_t factor : {4, 5}) {
    INFO("unrolled by " << factor);
    Function f("unrolled");
    Param N = f.param("N");
    Var i("i", 0, N), j("j", 0, N);
    Computation seven = f.computation("seven", {i, j}, constant(u8, 7));
    Computation s = f.computation("s", {i, j}, cast(u8, 10 * i + j));
    seven.unroll(j, factor);
    s.unroll(j, factor);
    Judged unrolled(f, {seven.buffer(), s.buffer()});
    CHECK(values_of(unrolled.check({10})["seven"]) == std::set<std::int64_t>{7});
    for (const std::int64_t n : {0, 1, 3, 4, 5, 9, 21}) unrolled.check({n});
  }
}

TEST_CASE("a named constant inside a computation", "[case-3]") {
  Function f("named");
  Var i("i", 0, 10), j("j", 0, 10);
  const Expr M = let("M", constant(u8, 17));
  Computation s = f.computation("s", {i, j}, 3 + M);
  Computation t = f.computation("t", {i, j}, let("row", cast(u8, 5 * i)) + M);
  Judged named(f, {s.buffer(), t.buffer()});
  const auto out = named.check({});
  CHECK(values_of(out["s"]) == std::set<std::int64_t>{20});
  CHECK(out["t"].integer({9, 0}) == 62);
}

TEST_CASE("floor of a float", "[case-4]") {
  Function f("floored");
  Var i("i", 0, 10), j("j", 0, 10);
  const Expr third = real_constant(f32, 37) / 3.0f;
  Computation s = f.computation("s", {i, j}, cast(u8, floor(third)));
  Computation t = f.computation("t", {i, j}, cast(i32, floor(cast(f32, i - j) / 3.0f)));
  tile_in_parallel(s);
  tile_in_parallel(t);
  Judged floored(f, {s.buffer(), t.buffer()});
  const auto out = floored.check({});
  CHECK(values_of(out["s"]) == std::set<std::int64_t>{12});
  CHECK(out["t"].integer({0, 1}) == -1);
  CHECK(out["t"].integer({8, 1}) == 2);
}

TEST_CASE("three writers of one buffer in one iteration", "[case-6]") {
  Function f("writers");
  Var i("i", 0, 10), j("j", 0, 10);
  Computation s0 = f.computation("s0", {i, j}, constant(u8, 5));
  Computation s1 = f.computation("s1", {i, j}, constant(u8, 6));
  Computation s2 = f.computation("s2", {i, j}, constant(u8, 7));
  for (Computation* s : {&s0, &s1, &s2}) s->store_in(Buffer("buf"));
  s1.after(s0, j);
  s2.after(s1, j);
  CHECK(values_of(Judged(f, {Buffer("buf")}).check({})["buf"]) == std::set<std::int64_t>{7});
}

TEST_CASE("the last of three writers must stay the last", "[case-6]") {
  Function f("writers");
  Var i("i", 0, 10), j("j", 0, 10);
  Computation s0 = f.computation("s0", {i, j}, cast(u8, i));
  Computation s1 = f.computation("s1", {i, j}, cast(u8, j));
  Computation s2 = f.computation("s2", {i, j}, cast(u8, 10 * i + j));
  for (Computation* s : {&s0, &s1, &s2}) s->store_in(Buffer("buf"));
  s1.after(s0, j);
  s2.after(s1, j);
  CHECK(Judged(f, {Buffer("buf")}).check({})["buf"].integer({7, 3}) == 73);
  s0.after(s2, j);
  try {
    f.jit({Buffer("buf")});
    FAIL("the output would hold s0");
  } catch (const Error& e) {
    CHECK(e.code() == Code::E0304_output_not_last);
  }
}

TEST_CASE("indices that are written in many ways", "[case-7]") {
  const std::int64_t M = 5;
  Function f("indices");
  Var i("i", 0, 10), j("j", 0, 10), x("x", 0, M), y("y", 0, M);
  Computation s0 = f.computation("s0", {i, j}, cast(i32, 10 * i + j));
  Computation s1 = f.computation("s1", {x, y}, s0(x + x + 0, y + y + 0));
  Computation s2 = f.computation("s2", {x, y}, s0(2 * x - x * 2 + 2 * x, 1 + 2 * y - 1));
  Computation s3 = f.computation("s3", {x, y}, s0(0, 0));
  Computation s4 = f.computation("s4", {x, y}, s0(0, x));
  Judged indices(f, {s1.buffer(), s2.buffer(), s3.buffer(), s4.buffer()});
  const auto out = indices.check({});
  for (std::int64_t a = 0; a < M; ++a)
    for (std::int64_t b = 0; b < M; ++b) {
      CHECK(out["s1"].integer({a, b}) == 20 * a + 2 * b);
      CHECK(out["s2"].integer({a, b}) == 20 * a + 2 * b);
      CHECK(out["s3"].integer({a, b}) == 0);
      CHECK(out["s4"].integer({a, b}) == a);
    }
}

TEST_CASE("indices that are written in many ways, in one array", "[case-7]") {
  Function f("in_one");
  Var i("i", 0, 10), j("j", 0, 10), x("x", 0, 5), y("y", 0, 5);
  Computation s = f.computation("s", {i, j}, cast(i32, 10 * i + j));
  s.update({x, y}, {x, y}, s(x + x + 0, y + y + 0));
  s.update({x, y}, {x, y}, s(2 * x - x * 2 + 2 * x, 1 + 2 * y - 1));
  s.update({x, y}, {x, y}, s(0, 0) + s(0, x));
  const auto out = Judged(f, {s.buffer()}).check({});
  std::int64_t plain[10][10];
  for (int a = 0; a < 10; ++a)
    for (int b = 0; b < 10; ++b) plain[a][b] = 10 * a + b;
  for (int pass = 0; pass < 2; ++pass)
    for (int a = 0; a < 5; ++a)
      for (int b = 0; b < 5; ++b) plain[a][b] = plain[2 * a][2 * b];
  for (int a = 0; a < 5; ++a)
    for (int b = 0; b < 5; ++b) plain[a][b] = plain[0][0] + plain[0][a];
  for (int a = 0; a < 10; ++a)
    for (int b = 0; b < 10; ++b) CHECK(out["s"].integer({a, b}) == plain[a][b]);
}

TEST_CASE("constant indices through abs are affine", "[case-8]") {
  for (const bool ones : {true, false}) {
    Function f("through_abs");
    Var i("i", 0, 10), j("j", 0, 10);
    const Expr nine = cast(i32, abs(constant(i32, -9)));
    const Expr two_and_seven = cast(i32, abs(constant(i32, -2)) + abs(constant(i32, 7)));
    Computation s = f.computation("s", {i, j}, ones ? constant(i32, 1) : cast(i32, 10 * i + j));
    s.update({i, j}, {i, j}, s(i, j) + s(nine, 9));
    s.update({i, j}, {i, j}, s(i, j) + s(two_and_seven, 9));
    const auto out = Judged(f, {s.buffer()}).check({});
    if (ones) CHECK(values_of(out["s"]) == std::set<std::int64_t>{4});
    // The corner is read after it was written: 99, then 198 for all others.
    if (!ones) CHECK(out["s"].integer({9, 9}) == 4 * 99);
    if (!ones) CHECK(out["s"].integer({3, 4}) == 34 + 99 + 198);
  }
}

TEST_CASE("two inputs, two outputs, everything parallel", "[case-22]") {
  Function f("two_and_two");
  Var i("i", 0, 10), j("j", 0, 10);
  Input s0 = f.input("s0", i32, {10, 10}), s1 = f.input("s1", i32, {10, 10});
  Computation s2 = f.computation("s2", {i, j}, s1(i, j) + s0(i, j) - 5);
  Computation s3 = f.computation("s3", {i, j}, s1(i, j) - s0(0, 2) + 5);
  for (Computation* s : {&s2, &s3}) s->parallelize(i).parallelize(j);
  Judged both(f, {s0.buffer(), s1.buffer(), s2.buffer(), s3.buffer()});
  reference::Arrays given;
  for (const char* name : {"s0", "s1"})
    given[name] =
        reference::filled(f.program(), {}, name, [](const reference::Point&) { return 5; });
  for (const char* name : {"s2", "s3"})
    CHECK(values_of(both.check({}, given)[name]) == std::set<std::int64_t>{5});
  given["s0"] = reference::filled(f.program(), {}, "s0",
                                  [](const reference::Point& p) { return p[0] + 2 * p[1]; });
  given["s1"] = reference::filled(f.program(), {}, "s1",
                                  [](const reference::Point& p) { return 3 * p[0] + p[1]; });
  const auto out = both.check({}, given);
  CHECK(out["s2"].integer({6, 7}) == 6 + 14 + 18 + 7 - 5);
  CHECK(out["s3"].integer({6, 7}) == 18 + 7 - 4 + 5);
}

TEST_CASE("inline, then tile and parallelize", "[case-28]") {
  Function f("inlined");
  Var i("i", 0, 10), j("j", 0, 10);
  Computation inner = f.computation("inner", {Var("x"), Var("y")},
                                    cast(i32, variable("x")) + cast(i32, variable("y")) / 2);
  Computation s = f.computation("s", {i, j}, inner(j, i));
  inner.set_inline();
  tile_in_parallel(s);
  const auto out = Judged(f, {s.buffer()}).check({});
  for (std::int64_t a = 0; a < 10; ++a)
    for (std::int64_t b = 0; b < 10; ++b) CHECK(out["s"].integer({a, b}) == b + a / 2);
}

TEST_CASE("a read at a product of iterators is refused", "[case-28]") {
  Function f("squares");
  Var i("i", 0, 100), j("j", 0, 100), a("a"), b("b"), c("c");
  Computation inner = f.computation("inner", {a, b, c}, a + b + c);
  const std::string before = f.text();
  try {
    f.computation("s", {i, j}, inner(i * i, 2 * i * j, j * j));
    FAIL("i * i bounds no range");
  } catch (const Error& e) {
    CHECK(e.code() == Code::E0112_unbounded_domain);
  }
  CHECK(f.text() == before);
}

TEST_CASE("permuted storage and storage modulo a constant", "[case-38]") {
  Function f("permuted");
  Var i("i", 0, 7), j("j", 0, 7);
  Input a = f.input("a", i32, {7, 7});
  Computation s = f.computation("s", {i, j}, a(i, (j + 3) % 7));
  s.store_in(Buffer("out"), {(i + 2 * j) % 7, (i + 6 * j) % 7});
  tile_in_parallel(s);
  reference::Arrays given;
  given["a"] = reference::filled(f.program(), {}, "a",
                                 [](const reference::Point& p) { return 10 * p[0] + p[1]; });
  const auto out = Judged(f, {a.buffer(), Buffer("out")}).check({}, given);
  for (std::int64_t x = 0; x < 7; ++x)
    for (std::int64_t y = 0; y < 7; ++y)
      CHECK(out["out"].integer({(x + 2 * y) % 7, (x + 6 * y) % 7}) == 10 * x + (y + 3) % 7);
}

TEST_CASE("a temporary in permuted storage", "[case-38]") {
  Function f("permuted_temporary");
  Var i("i", 0, 7), j("j", 0, 7);
  Input a = f.input("a", i32, {7, 7});
  Computation t = f.computation("t", {i, j}, a(i, j) + 1);
  Computation s = f.computation("s", {i, j}, t(j, i));
  t.store_in({i, (j + 3) % 7});
  s.store_in({(i + 2 * j) % 7, (i + 6 * j) % 7});
  tile_in_parallel(s);
  Judged(f, {a.buffer(), s.buffer()}).check({});
}

}  // namespace strata::test::simple_cases_test
