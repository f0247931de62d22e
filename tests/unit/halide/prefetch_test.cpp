// Prefetches in machine code: one instruction per cache line, and no other accesses.
#include <catch2/catch.hpp>

#include "tests/unit/halide/assembly.h"
#include "tests/unit/halide/operators.h"

namespace strata::test::prefetch_test {

namespace {

// for i < N: prefetch x[i : i + rows, 16 i : 16 i + columns]; y[i] = x[i, 0]
Kernel prefetching(Type type, const Expr& rows, const Expr& columns) {
  const Expr i = v("i");
  const StmtPtr box = make_stmt(PrefetchBox{"x", {i, i * n(16)}, {rows, columns}});
  return kernel("rows", {"N", "M"},
                {argument("x", type, Access::read, {p("N"), p("M")}),
                 argument("y", type, Access::written, {p("N")})},
                loop("i", n(0), p("N"), block({box, store("y", {i}, load("x", type, {i, n(0)}))})));
}

int prefetches(Type type, std::int64_t rows, std::int64_t columns) {
  return Assembly(prefetching(type, n(rows), n(columns))).count("prefetchnta");
}

}  // namespace

// Each kernel has a version for dense rows, and one for any strides.
TEST_CASE("every 64 bytes of each row are prefetched once, past the nearer caches",
          "[halide][prefetch]") {
  CHECK(prefetches(f32, 1, 1) == 2 * 1);
  CHECK(prefetches(f32, 1, 16) == 2 * 1);
  CHECK(prefetches(f32, 1, 17) == 2 * 2);
  CHECK(prefetches(f32, 3, 32) == 2 * 6);
  CHECK(prefetches(f64, 3, 32) == 2 * 12);
  CHECK(prefetches(u8, 3, 32) == 2 * 3);
  CHECK(prefetches(f32, 0, 32) == 0);
}

TEST_CASE("many lines are prefetched in a loop", "[halide][prefetch]") {
  CHECK(prefetches(f32, 1, 16 * 16) == 2 * 16);
  const int in_loop = prefetches(f32, 100, 16 * 16);
  CHECK(in_loop >= 2);
  CHECK(in_loop <= 2 * 16);
  CHECK(Assembly(prefetching(f32, p("M"), p("N"))).count("prefetch") >= 2);
}

TEST_CASE("a box may lie outside of its array, or have no element", "[halide][prefetch]") {
  const std::int64_t far = std::int64_t{1} << 40;
  for (const Expr& rows : {n(1), p("M") - n(9), n(far)})
    for (const Expr& columns : {n(1), n(16) - p("M") * n(2), p("M")}) {
      if (rows.op() == Op::constant && rows.node().integer == far && columns.op() != Op::sub)
        continue;
      Array<float> x({5, 7}), y({5}, -1);
      for (float& e : x) e = static_cast<float>(&e - x.data());
      REQUIRE(JitKernel(prefetching(f32, rows, columns)).call({5, 7}, {x, y}) == 0);
      for (int i = 0; i < 5; ++i) CHECK(y(i) == x(i, 0));
    }
}

}  // namespace strata::test::prefetch_test
