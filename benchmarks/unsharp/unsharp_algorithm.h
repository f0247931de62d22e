// A 5 x 5 unsharp mask of a picture in planes, whose border pixels repeat, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace unsharp_benchmark {

// sharp = 2 in - blurred, with the binomial weights 1 4 6 4 1 along a row of W pixels, then down a
// column.  bx has two more rows at both ends, each a copy of the last row.  A tile of a
// few rows by one vector computes the rows of bx that it reads, in registers.
inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("unsharp");
  Param N = f.param("N"), W = f.param("W");
  f.assume(N >= 1);
  Var c("c", 0, 3), y("y", 0, N), x("x", 0, W), i("i", -2, N + 2);
  Input in = f.input("in", f32, {3, N, W});
  const auto weighted = [](const auto& at) {
    return (at(-2) + 4.0f * at(-1) + 6.0f * at(0) + 4.0f * at(1) + at(2)) * (1 / 16.0f);
  };
  Computation bx = f.computation("bx", {c, i, x}, weighted([&](int tap) {
                                   return in(c, clamp(i, 0, N - 1), clamp(x + tap, 0, W - 1));
                                 }));
  const Expr blurred = weighted([&](int tap) { return bx(c, y + tap, x); });
  Computation sharp = f.computation("sharp", {c, y, x}, 2.0f * in(c, y, x) - blurred);

  Var y0("y0"), x0("x0"), y1("y1"), x1("x1");
  sharp.tile(y, x, machine().filter_rows(5), machine().lanes(f32), y0, x0, y1, x1);
  bx.compute_at(sharp, x0);
  bx.unroll(i).vectorize(x);
  sharp.parallelize(y0);
  sharp.unroll(y1).vectorize(x1);
  return {f, {in.buffer(), sharp.buffer()}};
}

}  // namespace unsharp_benchmark
