// Minor features of the API.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/strata.h>

#include <malloc.h>
#include <sys/mman.h>

#include <cmath>
#include <thread>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::features_test {

using reference::Point;

// Called by kernels by name.
extern "C" double strata_test_mixed(double x, std::int32_t n) { return 3 * x - n; }

TEST_CASE("an extern C function of the process", "[features]") {
  Function f("calling");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input x = f.input("x", f64, {N});
  Computation s = f.computation("s", {i}, call(f64, "strata_test_mixed", {x(i), cast(i32, i)}));
  Computation t = f.computation("t", {i}, call(f64, "cbrt", {s(i)}) + 1.0);
  s.vectorize(i, 4);
  Options options;
  options.externs["strata_test_mixed"] = reference::as_extern(&strata_test_mixed);
  options.externs["cbrt"] = reference::as_extern(+[](double y) { return std::cbrt(y); });
  Judged judged(f, {x.buffer(), s.buffer(), t.buffer()}, options);
  for (const std::int64_t n : {0, 1, 4, 7}) judged.check({n});
}

TEST_CASE("a missing extern function is an error, not a crash", "[features]") {
  Function f("calling");
  Var i("i", 0, 4);
  Computation s = f.computation("s", {i}, call(f64, "strata_test_no_such_function", {1.0}));
  CHECK(refusal_of([&] { f.jit({s.buffer()}); }).code == Code::E0502_code_generation_failed);
}

TEST_CASE("bounds that are minima and maxima", "[features]") {
  Function f("bounded");
  Param N = f.param("N"), M = f.param("M"), L = f.param("L");
  Var i("i", max(0, M - N), min(N, L)), j("j", max(i, 1), min(M, i + 3));
  Input in = f.input("in", i32, {N, M});
  Computation s = f.computation("s", {i, j}, in(i, j) * 2 + cast(i32, j));
  s.tile(i, j, 4, 2);
  s.vectorize(Var("j_in"));
  Judged judged(f, {in.buffer(), s.buffer()});
  for (const auto& p : std::vector<std::vector<std::int64_t>>{
           {6, 7, 5}, {6, 7, 100}, {3, 9, 4}, {0, 0, 0}, {5, 1, 5}, {4, 4, -3}})
    judged.check(p);
}

TEST_CASE("ranges that follow from the readers", "[features]") {
  Function f("inferred");
  Param N = f.param("N");
  Var x("x"), y("y"), i("i", 0, N), j("j", 0, N);
  Input in = f.input("in", i32, {N + 2, N + 4});
  Computation a = f.computation("a", {x, y}, in(x, y) * 3);
  Computation b = f.computation("b", {x, y}, a(x, y) + a(x + 1, y + 1));
  Computation c = f.computation("c", {i, j}, b(i, j) + b(i + 1, j + 3));
  a.tile(x, y, 3, 4);
  b.vectorize(y, 4);
  Judged judged(f, {in.buffer(), c.buffer()});
  for (const std::int64_t n : {0, 1, 4, 7}) judged.check({n});
}

TEST_CASE("a read guarded at the borders, in vectors", "[features]") {
  Function f("guarded");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M);
  Input in = f.input("in", i32, {N, M});
  const auto at = [&](int di, int dj) {
    const Expr inside = i + di >= 0 && i + di < N && j + dj >= 0 && j + dj < M;
    return select(inside, in(i + di, j + dj), -1);
  };
  Computation s = f.computation("s", {i, j}, at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1));
  s.tile(i, j, 2, 8);
  s.vectorize(Var("j_in"));
  s.parallelize(i);
  Judged judged(f, {in.buffer(), s.buffer()});
  for (const auto& [n, m] : {std::pair{1, 1}, {3, 9}, {4, 16}, {0, 2}, {5, 7}})
    judged.check({n, m});
}

TEST_CASE("a select on data reads only the side it takes", "[features]") {
  Function f("on_data");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input in = f.input("in", i32, {N});
  Computation s = f.computation("s", {i}, select(in(i) > 0, in(i) / 2, -in(i)));
  s.vectorize(i, 8);
  Judged judged(f, {in.buffer(), s.buffer()});
  for (const std::int64_t n : {0, 1, 8, 21}) judged.check({n});
}

TEST_CASE("an assumption may be used and is checked", "[features]") {
  Function f("assumed");
  Param N = f.param("N");
  f.assume(N % 8 == 0 && N >= 0);
  Var i("i", 0, N);
  Input in = f.input("in", f32, {N});
  Computation s = f.computation("s", {i}, in(N - 1 - i) * 2.0f);
  s.vectorize(i, 8);
  Judged judged(f, {in.buffer(), s.buffer()});
  for (const std::int64_t n : {0, 8, 24}) judged.check({n});
  Array<float> some({9});
  CHECK(judged.kernel()({9}, {some, some}) == strata_error_assumption);
}

TEST_CASE("two functions built side by side in two threads", "[features]") {
  const auto build = [](const std::string& name, int factor, std::int64_t& wrong) {
    for (int round = 0; round < 5; ++round) {
      Function f(name);
      Param N = f.param("N");
      Var i("i", 0, N), j("j", 0, N);
      Input in = f.input("in", i32, {N, N});
      Computation s = f.computation("s", {i, j}, in(i, j) * factor);
      Computation t = f.computation("t", {i, j}, s(i, j) + s(j, i));
      s.tile(i, j, 4 + round, 4);
      t.vectorize(j, 8);
      const JitFunction kernel = f.jit({in.buffer(), t.buffer()});
      Array<std::int32_t> a({10, 10}), b({10, 10});
      for (int x = 0; x < 10; ++x)
        for (int y = 0; y < 10; ++y) a(x, y) = 10 * x + y;
      wrong += kernel({10}, {a, b}) != 0;
      for (int x = 0; x < 10; ++x)
        for (int y = 0; y < 10; ++y) wrong += b(x, y) != factor * 11 * (x + y);
    }
  };
  std::int64_t wrong_here = 0, wrong_there = 0;
  std::thread other([&] { build("there", 3, wrong_there); });
  build("here", 2, wrong_here);
  other.join();
  CHECK(wrong_here == 0);
  CHECK(wrong_there == 0);
}

TEST_CASE("functions of one thread do not know each other", "[features]") {
  Function f("first"), g("second");
  Param N = f.param("N"), M = g.param("N");
  Var i("i", 0, N), k("i", 2, M);
  Computation s = f.computation("s", {i}, cast(i32, i));
  Computation t = g.computation("s", {k}, cast(i32, 5 * k));
  s.vectorize(i, 4);
  t.parallelize(k);
  CHECK(Judged(f, {s.buffer()}).check({6})["s"].integer({5}) == 5);
  CHECK(Judged(g, {t.buffer()}).check({6})["s"].integer({5}) == 25);
}

TEST_CASE("what the author takes on is not asked again", "[features]") {
  Function f("waived");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Computation s = f.computation("s", {i, j}, cast(i32, j));
  s.store_in({j});
  CHECK(refuses(f, Code::E0303_race, [&] { s.parallelize(i); }));
  // Every row writes the same values, which the compiler cannot know.
  s.unchecked().parallelize(i);
  s.vectorize(j, 4);
  Judged judged(f, {s.buffer()}, [] {
    Options options;
    options.most_for_oracle = 0;  // it would report the race
    return options;
  }());
  const auto out = judged.check({7});
  for (std::int64_t n = 0; n < 7; ++n) CHECK(out["s"].integer({n}) == n);
  // Other pairs of instances are still checked.
  CHECK(refuses(f, Code::E0303_race, [&] { s.store_in({0 * j}); }));
}

TEST_CASE("Seidel in place: a wavefront in parallel", "[features]") {
  Function f("seidel");
  Param N = f.param("N"), T = f.param("T");
  f.assume(N >= 2);
  Input A = f.input("A", f64, {N, N});
  Var t("t", 0, T), i("i", 1, N - 1), j("j", 1, N - 1), x("x", 0, N), y("y", 0, N);
  Computation X = f.computation("X", {x, y}, A(x, y));
  Computation step = X.update(
      {t, i, j}, {i, j}, (X(i - 1, j) + X(i + 1, j) + X(i, j) + X(i, j - 1) + X(i, j + 1)) / 5.0);
  X.store_in(A.buffer(), {x, y});
  CHECK(refuses(f, Code::E0202_dependence_carried, [&] { step.parallelize(j); }));
  // Every value that a sweep reads is made by the time 2 t + i + j.
  const Var front("front"), along("along"), wave("wave"), sweep("sweep");
  step.skew(i, j, 1, 1, front, along);
  step.skew(t, front, 2, 1, 1, 0, wave, sweep);
  step.parallelize(sweep);
  Judged judged(f, {A.buffer()});
  for (const auto& [n, times] : {std::pair{6, 2}, {4, 3}, {2, 1}, {5, 0}}) judged.check({n, times});
}

TEST_CASE("Seidel in place, one sweep", "[features]") {
  Function f("sweep");
  Param N = f.param("N");
  f.assume(N >= 2);
  Input A = f.input("A", f64, {N, N});
  Var i("i", 1, N - 1), j("j", 1, N - 1), ni("ni"), nj("nj");
  Computation S = f.declare("S", {i, j}, f64);
  S.define((select(i > 1, S(i - 1, j), A(i - 1, j)) + select(j > 1, S(i, j - 1), A(i, j - 1)) +
            A(i, j) + A(i + 1, j) + A(i, j + 1)) /
           5.0);
  S.store_in(A.buffer(), {i, j});
  CHECK(refuses(f, Code::E0202_dependence_carried, [&] { S.parallelize(j); }));
  S.skew(i, j, 1, 1, ni, nj);
  S.parallelize(nj);
  Judged judged(f, {A.buffer()});
  for (const std::int64_t n : {2, 3, 4, 9}) judged.check({n});
}

// Called by kernels: records the maximum number of bytes in use at any call.
static std::size_t most_bytes_in_use = 0;
extern "C" float strata_test_memory(float x) {
  const auto now = mallinfo2();
  most_bytes_in_use = std::max(most_bytes_in_use, std::size_t(now.uordblks + now.hblkhd));
  return x;
}

TEST_CASE("a temporary whose values are read no more leaves its memory to the next", "[features]") {
  constexpr std::int64_t n = 1 << 16;
  Function f("chained");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input in = f.input("in", f32, {N});
  Computation last = f.computation("s0", {i}, in(i) + 1.0f);
  for (int stage = 1; stage < 6; ++stage)
    last = f.computation("s" + std::to_string(stage), {i},
                         last(N - 1 - i) + call(f32, "strata_test_memory", {last(i)}));
  const JitFunction kernel = f.jit({in.buffer(), last.buffer()});
  Array<float> a({4}, 1.0f), b({4});
  REQUIRE(kernel({4}, {a, b}) == 0);
  CHECK(b(0) == 64.0f);
  Array<float> large({n}, 1.0f), result({n});
  [[maybe_unused]] const auto before = mallinfo2();
  most_bytes_in_use = 0;
  REQUIRE(kernel({n}, {large, result}) == 0);
  CHECK(result(n - 1) == 64.0f);
#ifndef __SANITIZE_ADDRESS__  // its malloc does not report sizes
  // Two of the five temporaries are live at a time.
  const std::size_t temporaries = most_bytes_in_use - before.uordblks - before.hblkhd;
  CHECK(temporaries >= 2 * n * sizeof(float));
  CHECK(temporaries < 3 * n * sizeof(float));
#endif
}

TEST_CASE("temporaries are freed where the loops do not run", "[features]") {
  Function f("emptied");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M);
  Input in = f.input("in", f32, {N, M});
  Computation t = f.computation("t", {i, j}, in(i, j) * 2.0f);
  Computation u = f.computation("u", {i, j}, t(i, j) + 1.0f);
  const JitFunction kernel = f.jit({in.buffer(), u.buffer()});
  for (const auto& [n, m] : {std::pair(0, 0), std::pair(3, 0), std::pair(0, 3), std::pair(3, 4)}) {
    Array<float> a({n, m}), b({n, m});
    REQUIRE(kernel({n, m}, {a, b}) == 0);
    const std::size_t before = mallinfo2().uordblks;
    for (int call = 0; call < 100; ++call) REQUIRE(kernel({n, m}, {a, b}) == 0);
    CHECK(mallinfo2().uordblks < before + 100 * 16);
  }
}

TEST_CASE("buffers above 2^31 elements", "[features]") {
  constexpr std::int64_t step = 34999, extent = 2 * step + 1;
  Function f("huge");
  Var c("c", 0, 2), x("x", 0, 3), y("y", 0, 3);
  Computation t = f.computation("t", {c, x, y}, cast(u8, 100 * c + 10 * x + y));
  Computation out = f.computation("out", {x, y}, t(0, x, y) * 2 + t(1, 2 - x, 2 - y));
  t.store_in({c, step * x, step * y});
  out.store_in({step * x, step * y});
  const JitFunction kernel = f.jit({out.buffer()});
  void* memory = mmap(nullptr, std::size_t(extent * extent), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  strata_buffer buffer;
  strata_dimension dimensions[2];
  const std::int64_t extents[] = {extent, extent};
  strata_buffer_init(&buffer, strata_uint(8), memory, 2, dimensions, extents);
  CHECK(kernel({}, {strata_argument(&buffer)}) == 0);
  const auto* bytes = static_cast<const std::uint8_t*>(memory);
  for (std::int64_t a = 0; a < 3; ++a)
    for (std::int64_t b = 0; b < 3; ++b)
      CHECK(int(bytes[step * a * extent + step * b]) == 122 + 10 * a + b);
  munmap(memory, std::size_t(extent * extent));
}

}  // namespace strata::test::features_test
