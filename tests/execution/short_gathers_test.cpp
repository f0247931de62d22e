// Gathers whose positions are computed in 32 bits, with data and sizes at the limits, compared with
// plain loops.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/runtime.h>
#include <strata/strata.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/execution/harness.h"

namespace strata::test::short_gathers_test {

namespace {

constexpr std::int64_t one = 1;  // for shifts

// Numbers at the limits of 32 bits and around small sizes.
const std::vector<std::int32_t> extremes{std::numeric_limits<std::int32_t>::min(),
                                         std::numeric_limits<std::int32_t>::min() + 1,
                                         -(1 << 30) - 1,
                                         -(1 << 30),
                                         -1000,
                                         -1,
                                         0,
                                         1,
                                         5,
                                         19,
                                         20,
                                         1000,
                                         (1 << 30) - 1,
                                         1 << 30,
                                         std::numeric_limits<std::int32_t>::max() - 1,
                                         std::numeric_limits<std::int32_t>::max()};

// A buffer of int32 with these dimensions, the last index of the program first.
struct Described {
  strata_buffer buffer{};
  std::vector<strata_dimension> dimensions;

  Described(std::int32_t* host, std::vector<strata_dimension> given)
      : dimensions(std::move(given)) {
    buffer.type = strata_int(32);
    buffer.host = reinterpret_cast<std::uint8_t*>(host);
    buffer.dimensions = int(dimensions.size());
    buffer.dim = dimensions.data();
  }
  halide_buffer_t* argument() { return strata_argument(&buffer); }
};

// 16 numbers per vector, two vectors and a rest.
Array<std::int32_t> places() {
  Array<std::int32_t> at({37});
  for (std::int64_t x = 0; x < 37; ++x)
    at(x) = x < std::int64_t(extremes.size()) ? extremes[std::size_t(x)]
                                              : std::int32_t((x * 2654435761) % 41 - 10);
  return at;
}

}  // namespace

TEST_CASE("a clamped sum of 32-bit data and a constant is the number in Z", "[short_gathers]") {
  constexpr std::int64_t size = 20;
  std::vector<std::int32_t> table(size);
  for (std::int64_t x = 0; x < size; ++x) table[std::size_t(x)] = std::int32_t(x * x + 3);
  for (const std::int64_t c : {-(one << 30), -one, std::int64_t{0}, one, one << 30, one << 31}) {
    Function f("clamped");
    Param L = f.param("L");
    Var i("i", 0, 37);
    Input at = f.input("at", i32, {37});
    Input all = f.input("all", i32, {L + size});
    f.assume(L >= 0);
    Computation out =
        f.computation("out", {i}, all(min(max(cast(i64, at(i)) + c, L), L + (size - 1))));
    out.vectorize(i, 16);
    const JitFunction kernel = f.jit({at.buffer(), all.buffer(), out.buffer()});
    const auto given = places();
    for (const std::int64_t lowest : {std::int64_t{0}, one, (one << 30) - size, (one << 30) - 10,
                                      one << 30, (one << 31) - size - 1}) {
      CAPTURE(c, lowest);
      Described elements(table.data(), {{std::int32_t(lowest), size, 1, 0}});
      Array<std::int32_t> a = given, o({37});
      REQUIRE(kernel({lowest}, {a, elements.argument(), o}) == 0);
      for (std::int64_t x = 0; x < 37; ++x)
        REQUIRE(o(x) ==
                table[std::size_t(std::clamp(given(x) + c, lowest, lowest + size - 1) - lowest)]);
    }
  }
}

TEST_CASE("elements that are 2^31 elements apart are gathered", "[short_gathers]") {
  Function f("far");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, 64);
  Input row = f.input("row", i32, {64}), all = f.input("all", i32, {N, 64});
  f.assume(N >= 1);
  Computation out =
      f.computation("out", {i, j}, all(clamp(cast(i64, row(j)), 0, N - 1), 63 - j) + cast(i32, i));
  out.vectorize(j, 16);
  const JitFunction kernel = f.jit({row.buffer(), all.buffer(), out.buffer()});
  // Reserved, not used: only two pages are touched.
  for (const std::int64_t stride :
       {64 * one, (one << 31) - 64, (one << 31) - 63, (one << 31) - 1}) {
    CAPTURE(stride);
    const std::size_t bytes = std::size_t(stride + 64) * 4;
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    auto* const first = static_cast<std::int32_t*>(memory);
    for (int x = 0; x < 64; ++x) first[x] = x, first[stride + x] = 1000 + x;
    const auto check = [&](std::int32_t* host, std::int64_t step, int top, int bottom) {
      Described elements(host, {{0, 64, 1, 0}, {0, 2, std::int32_t(step), 0}});
      Array<std::int32_t> r({64}), o({2, 64});
      for (std::int64_t x = 0; x < 64; ++x) r(x) = std::int32_t(x * 5 % 7 - 3);
      REQUIRE(kernel({2}, {r, elements.argument(), o}) == 0);
      for (std::int64_t y = 0; y < 2; ++y)
        for (std::int64_t x = 0; x < 64; ++x)
          REQUIRE(o(y, x) == (r(x) >= 1 ? bottom : top) + 63 - x + y);
    };
    check(first, stride, 0, 1000);
    check(first + stride, -stride, 1000, 0);
    munmap(memory, bytes);
  }
}

TEST_CASE("indices of every kind", "[short_gathers]") {
  Function f("kinds");
  Param N = f.param("N"), M = f.param("M");
  f.assume(N >= 1), f.assume(M >= 8);
  Var i("i", 0, N), j("j", 0, M);
  Input a = f.input("a", i32, {M}), b = f.input("b", u8, {M}), c = f.input("c", i16, {M});
  Input x = f.input("x", f32, {M}), wide = f.input("wide", f64, {N, M});
  const bool masked = GENERATE(false, true);
  const auto row = [&](const Expr& e) { return clamp(e, 0, N - 1); };
  const auto column = [&](const Expr& e) { return clamp(e, 0, M - 1); };
  const Expr first = cast(i64, a(j)), second = cast(i64, b(j)), third = cast(i64, c(j));
  Expr value;
  const auto add = [&](const Expr& e) { value = value.defined() ? value + e : e; };
  SECTION("sums inside clamps") { add(wide(row(first + 1), column(2 + first - 5))); }
  SECTION("sums outside of clamps") { add(wide(i, min(max(first, 3) - 3, M - 1))); }
  SECTION("narrow data") { add(wide(row(second - 3), column(third + 100))); }
  SECTION("a minimum of two kinds") { add(wide(i, column(min(second - 3, max(third, first))))); }
  SECTION("converted floats") { add(wide(row(cast(i64, x(j))), column(cast(i64, floor(x(j)))))); }
  SECTION("a converted float and a constant") { add(wide(i, column(cast(i64, x(j)) + 1))); }
  SECTION("unsigned data") { add(wide(row(cast(i64, cast(u32, a(j)))), j)); }
  SECTION("multiples") { add(wide(row(second * 3 - third), column(j * 2 - second))); }
  SECTION("data that choose data") { add(wide(row(cast(i64, a(column(first)))), j)); }
  SECTION("one side of a select") {
    add(select(b(j) < 100, wide(row(first), j), wide(i, column(second))));
    add(select(c(j) > 0, wide(row(cast(i64, a(column(third)))), j), 1.0));
  }
  Computation out = f.computation("out", {i, j}, value);
  const Var lane("lane");
  out.vectorize(j, 8, j, lane);
  if (masked) out.mask(lane);
  Judged kinds(f, {a.buffer(), b.buffer(), c.buffer(), x.buffer(), wide.buffer(), out.buffer()});
  reference::Arrays given;
  const reference::Parameters sizes{{"N", 3}, {"M", 21}};
  given["a"] = reference::filled(f.program(), sizes, "a", [](const reference::Point& at) {
    return double(extremes[std::size_t(at[0]) % extremes.size()]);
  });
  given["x"] = reference::filled(f.program(), sizes, "x", [](const reference::Point& at) {
    const std::vector<double> numbers{NAN, INFINITY, -INFINITY, 3e9, -3e9, 1e19, -0.5, 1.5, 2.75};
    return numbers[std::size_t(at[0]) % numbers.size()];
  });
  kinds.check({3, 21}, given);
  kinds.check({3, 21});
}

TEST_CASE("a table of constant size that the kernel computes", "[short_gathers]") {
  Function f("table");
  Param M = f.param("M");
  Var j("j", 0, M), v("v", -128, 128);
  Input b = f.input("b", i8, {M});
  Computation squares = f.computation("squares", {v}, cast(i32, v * v));
  Computation out = f.computation("out", {j}, squares(cast(i64, b(j))) + 1);
  out.vectorize(j, 8);
  Judged table(f, {b.buffer(), out.buffer()});
  table.check({21});
}

TEST_CASE("an index beside the table is reported", "[short_gathers]") {
  Function f("beside");
  Var i("i", 0, 32);
  Input at = f.input("at", i32, {32}), table = f.input("table", f32, {10});
  Computation out = f.computation("out", {i}, table(cast(i64, at(i)) + 1));
  out.vectorize(i, 16);
  const JitFunction kernel = f.jit({at.buffer(), table.buffer(), out.buffer()});
  Array<std::int32_t> a({32});
  Array<float> t({10}), o({32});
  for (std::int64_t x = 0; x < 10; ++x) t(x) = float(x);
  for (std::int64_t x = 0; x < 32; ++x) a(x) = std::int32_t(x * 3 % 10 - 1);
  REQUIRE(kernel({}, {a, t, o}) == 0);
  for (std::int64_t x = 0; x < 32; ++x) CHECK(o(x) == float(x * 3 % 10));
  for (const std::int32_t wrong : {-2, 9, std::numeric_limits<std::int32_t>::max(),
                                   std::numeric_limits<std::int32_t>::min()}) {
    Array<std::int32_t> bad = a;
    bad(19) = wrong;
    CHECK(kernel({}, {bad, t, o}) == strata_error_index_out_of_range);
    CHECK(std::string(strata_last_error()).find(std::to_string(wrong + one)) != std::string::npos);
  }
}

}  // namespace strata::test::short_gathers_test
