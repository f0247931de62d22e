// A 5 x 5 unsharp mask of a picture in planes, whose border pixels repeat, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace unsharp_example {

// sharp = 2 in - blurred, with the binomial weights 1 4 6 4 1 along a row of W pixels, then down a
// column.  bx has two more rows at both ends, each a copy of the last row.
struct Unsharp {
  strata::Function function{"unsharp"};
  strata::Param N = function.param("N"), W = function.param("W");
  strata::Var c{"c", 0, 3}, y{"y", 0, N}, x{"x", 0, W}, i{"i", -2, N + 2};
  strata::Input in = function.input("in", strata::f32, {3, N, W});
  strata::Computation bx = along_rows(), sharp = down_columns();

  strata::Computation along_rows() {
    function.assume(N >= 1);
    return function.computation("bx", {c, i, x}, weighted([&](int tap) {
                                  return in(c, clamp(i, 0, N - 1), clamp(x + tap, 0, W - 1));
                                }));
  }
  strata::Computation down_columns() {
    const strata::Expr blurred = weighted([&](int tap) { return bx(c, y + tap, x); });
    return function.computation("sharp", {c, y, x}, 2.0f * in(c, y, x) - blurred);
  }
  static strata::Expr weighted(const std::function<strata::Expr(int)>& at) {
    return (at(-2) + 4.0f * at(-1) + 6.0f * at(0) + 4.0f * at(1) + at(2)) * (1 / 16.0f);
  }
  examples::Scheduled with_arguments() const { return {function, {in.buffer(), sharp.buffer()}}; }
};

// A tile of a few rows by one vector computes the rows of bx that it reads, in registers.
inline examples::Scheduled scheduled() {
  const strata::Machine m = strata::machine();
  Unsharp u;
  strata::Var y0("y0"), x0("x0"), y1("y1"), x1("x1");
  u.sharp.tile(u.y, u.x, m.filter_rows(5), m.lanes(strata::f32), y0, x0, y1, x1);
  u.bx.compute_at(u.sharp, x0);
  u.bx.unroll(u.i).vectorize(u.x);
  u.sharp.unroll(y1).vectorize(x1);
  u.sharp.parallelize(y0);
  return u.with_arguments();
}

}  // namespace unsharp_example
