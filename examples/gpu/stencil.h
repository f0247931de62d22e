// A 5-point stencil over time.
#pragma once

#include "examples/gpu/example.h"

namespace gpu_examples {

// u(0) = start; u(t, i, j) = the weighted mean of u(t - 1) at (i, j) and its four neighbours, where
// a neighbour outside of the grid is the point itself.  out = u(T), T >= 1.
//
// On the GPU each step is a launch; both planes stay on the device.
inline Scheduled stencil(On on) {
  using namespace strata;
  Function f(kernel("stencil", on));
  Param T = f.param("T"), N = f.param("N"), M = f.param("M");
  f.assume(T >= 1);
  Var t("t", 0, T + 1), i("i", 0, N), j("j", 0, M);
  Input start = f.input("start", f32, {N, M});
  Computation u = f.declare("u", {t, i, j}, f32);
  const auto before = [&](const Expr& y, const Expr& x) {
    return u(t - 1, clamp(y, 0, N - 1), clamp(x, 0, M - 1));
  };
  u.define(select(t == 0, start(i, j),
                  0.5f * before(i, j) + 0.125f * (before(i - 1, j) + before(i + 1, j) +
                                                  before(i, j - 1) + before(i, j + 1))));
  Computation out = f.computation("out", {i, j}, u(T, i, j));

  u.store_in({t % 2, i, j});
  if (on == On::gpu) {
    u.gpu_tile(i, j, 8, 32);
    out.gpu_tile(i, j, 8, 32);
  } else {
    u.parallelize(i).vectorize(j, 8);
    out.parallelize(i).vectorize(j, 8);
  }
  return {f, {start.buffer(), out.buffer()}};
}

}  // namespace gpu_examples
