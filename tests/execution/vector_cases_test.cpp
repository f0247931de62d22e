// Vector loops, partial vectors and manually split loops.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"

namespace strata::test::vector_cases_test {

using reference::Point;

namespace {

std::size_t loops_in(const StmtPtr& s) {
  if (!s) return 0;
  if (const auto* loop = std::get_if<For>(s.get())) return 1 + loops_in(loop->body);
  if (const auto* branch = std::get_if<If>(s.get()))
    return loops_in(branch->then) + loops_in(branch->otherwise);
  if (const auto* allocate = std::get_if<Allocate>(s.get())) return loops_in(allocate->body);
  std::size_t count = 0;
  if (const auto* block = std::get_if<Block>(s.get()))
    for (const StmtPtr& part : block->body) count += loops_in(part);
  return count;
}

}  // namespace

TEST_CASE("a vector loop with an inclusive bound", "[case-15]") {
  Function f("inclusive");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N + 1);
  Computation s = f.computation("s", {i, j}, cast(i32, 100 * i + j));
  s.vectorize(j, 2);
  Judged inclusive(f, {s.buffer()});
  for (const std::int64_t n : {10, 0, 1, 2, 3}) {
    const auto out = inclusive.check({n});
    for (std::int64_t x = 0; x < n; ++x) CHECK(out["s"].integer({x, n}) == 100 * x + n);
  }
}

TEST_CASE("vector widths and sizes", "[case-25]") {
  for (const std::int64_t width : {4, 8, 16, 32}) {
    INFO(width << " lanes");
    Function f("rows");
    Param N = f.param("N");
    Var i("i", 0, 3), j("j", 0, N);
    Input in = f.input("in", f32, {3, N});
    Computation row0 = f.computation("row0", {j}, in(1, j) + cast(f32, j));
    Computation row1 = f.computation("row1", {j}, row0(j) * 2.0f);
    Computation s0 = f.computation("s0", {i, j}, in(i, j) - 1.0f);
    Computation s1 = f.computation("s1", {i, j}, s0(i, j) + row1(j));
    for (Computation* s : {&row0, &row1, &s0, &s1}) s->vectorize(j, width);
    s0.after(row1, root);
    s1.after(s0, root);
    Judged rows(f, {in.buffer(), row1.buffer(), s1.buffer()});
    for (const std::int64_t n : {9, 10, 16, 31, 33, 128, 0, 1}) rows.check({n});
  }
}

// Lanes differ in whether a(j - 1) is read, but not in its element.
TEST_CASE("all lanes that read a value read the same one", "[vectors]") {
  Function f("same_place");
  Param N = f.param("N"), M = f.param("M");
  Var j("j", 0, M), i("i", 0, N);
  Input a = f.input("a", i32, {M}), b = f.input("b", i32, {N});
  Computation c = f.computation("c", {j, i}, select(j >= 1, select(b(i) > 0, a(j - 1), -1), -1));
  c.vectorize(i, 4);
  Judged lanes(f, {a.buffer(), b.buffer(), c.buffer()});
  for (const std::int64_t n : {0, 1, 3, 4, 9}) lanes.check({n, 3});
}

TEST_CASE("saxpy in place", "[case-26]") {
  Function f("saxpy");
  Param N = f.param("N");
  Var i("i", 0, N), v("v"), lane("lane");
  Input x = f.input("x", f32, {N}), y = f.input("y", f32, {N});
  Computation s = f.computation("s", {i}, 2.0f * x(i) + y(i));
  s.store_in(y.buffer(), {i});
  s.vectorize(i, 16, v, lane);
  s.parallelize(v);
  Judged saxpy(f, {x.buffer(), y.buffer()});
  for (const std::int64_t n : {128, 10, 0, 16, 17}) {
    reference::Arrays given;
    given["x"] =
        reference::filled(f.program(), {{"N", n}}, "x", [](const Point& p) { return p[0]; });
    given["y"] = reference::filled(f.program(), {{"N", n}}, "y", [](const Point&) { return 1; });
    const auto out = saxpy.check({n}, given);
    for (std::int64_t k = 0; k < n; ++k) CHECK(out["y"].real({k}) == double(2 * k + 1));
    saxpy.check({n});
  }
}

TEST_CASE("a loop cut in two by a schedule map", "[case-27]") {
  Function f("cut");
  Param N = f.param("N");
  Var i("i", 0, N);
  Computation five = f.computation("five", {i}, constant(i32, 5) + cast(i32, i * 0));
  five.set_schedule(
      "[N] -> { five[i] -> [0, i, 0] : i < 4*floor(N/4); five[i] -> [10, i, 0] : i >= 4*floor(N/4) "
      "}");
  Judged cut(f, {five.buffer()});
  const auto out = cut.check({10});
  for (std::int64_t n = 0; n < 10; ++n) CHECK(out["five"].integer({n}) == 5);
  CHECK(loops_in(cut.tree().body) == 2);
  for (const std::int64_t n : {0, 1, 3, 4, 5, 8}) cut.check({n});
}

// Strided numbers, all of them or some, with the last ones at the very end of memory; from an
// argument, in several types, and from temporaries.
TEST_CASE("vectors of numbers that are apart", "[vectors]") {
  for (const Type type : {u8, i16, f32, f64})
    for (const int apart : {2, 3, 4, 7}) {
      INFO(to_string(type) << ", " << apart << " apart");
      Function f("apart");
      Param N = f.param("N");
      Var i("i", 0, N), j("j", 0, N), k("k", 0, apart * N);
      Input in = f.input("in", type, {apart * N});
      Computation first = f.computation("first", {i}, in(apart * i));
      Computation last = f.computation("last", {i}, in(apart * i + apart - 1));
      Computation both = f.computation("both", {i}, in(apart * i) + in(apart * i + apart - 1));
      Computation some =
          f.computation("some", {i}, select(i % 2 == 0, in(apart * i + 1), first(i)));
      Computation copy = f.computation("copy", {k}, in(k) + in(k));
      Computation picked = f.computation("picked", {j}, copy(apart * j + 1) + copy(apart * j));
      for (Computation* s : {&first, &last, &both, &some}) s->vectorize(i, 16);
      copy.vectorize(k, 16);
      picked.vectorize(j, 16);
      Judged strided(f, {in.buffer(), first.buffer(), last.buffer(), both.buffer(), some.buffer(),
                         picked.buffer()});
      for (const std::int64_t n : {0, 1, 15, 16, 17, 32, 50}) strided.check({n});
    }
}

}  // namespace strata::test::vector_cases_test
