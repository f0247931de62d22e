// An affine warp of a grey picture, bilinear, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace warp_benchmark {

// out(i, j) is the picture at row y, column x, an affine function of i and j; outside the picture,
// border values are repeated. The pixels of a tile are read from near each other, so that what
// they read stays in the first cache, however the map turns the picture. Its rows are longer than
// its columns, for the prefetchers, but not much: neighbours of a tile read the pixels at its
// border again.
inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("warp");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M);
  Input in = f.input("in", f32, {N, M}), map = f.input("map", f32, {2, 3});
  const auto at = [&](int axis) {
    return map(axis, 0) * cast(f32, cast(i32, i)) + map(axis, 1) * cast(f32, cast(i32, j)) +
           map(axis, 2);
  };
  const Expr y = at(0), x = at(1), top = floor(y), left = floor(x);
  const Expr dy = y - top, dx = x - left;
  const auto pixel = [&](int below, int right) {
    const Expr row = clamp(cast(i64, cast(i32, top)) + below, 0, N - 1);
    const Expr column = clamp(cast(i64, cast(i32, left)) + right, 0, M - 1);
    return in(row, column);
  };
  const auto mixed = [&](int below) {
    return pixel(below, 0) * (1.0f - dx) + pixel(below, 1) * dx;
  };
  Computation out = f.computation("out", {i, j}, mixed(0) * (1.0f - dy) + mixed(1) * dy);

  const Machine m = machine();
  const auto side = m.square(1, 4);
  Var i0("i0"), j0("j0"), i1("i1"), j1("j1");
  out.tile(i, j, side / 2, 2 * side, i0, j0, i1, j1).parallelize(i0);
  out.vectorize(j1, 2 * m.lanes(f32));
  return {f, {in.buffer(), map.buffer(), out.buffer()}};
}

}  // namespace warp_benchmark
