// Steps of the heat equation on a cube, alternating between two arrays, and their schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_heat_3d_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f64);
  // A tile has a square of rows of both arrays, at the large size, in the second cache.
  const auto side = std::max<std::int64_t>(4, m.square(2, 2 * 120 * sizeof(double)));
  Function f("kernel_heat_3d");
  Param T = f.param("T"), N = f.param("N");
  Var t("t", 0, T), i("i", 1, N - 1), j("j", 1, N - 1), k("k", 1, N - 1);
  Var x("i", 0, N), y("j", 0, N), z("k", 0, N);
  Input a = f.input("A", f64, {N, N, N}), b = f.input("B", f64, {N, N, N});
  Computation u = f.computation("u", {x, y, z}, a(x, y, z));
  Computation v = f.computation("v", {x, y, z}, b(x, y, z));
  const auto step = [&](const Computation& w) {
    Expr here = w(i, j, k), twice = 2.0 * here;
    return 0.125 * (w(i + 1, j, k) - twice + w(i - 1, j, k)) +
           0.125 * (w(i, j + 1, k) - twice + w(i, j - 1, k)) +
           0.125 * (w(i, j, k + 1) - twice + w(i, j, k - 1)) + here;
  };
  Computation to_v = v, to_u = u;
  f.loop(t, [&] {
    to_v = v.update({t, i, j, k}, {i, j, k}, step(u));
    to_u = u.update({t, i, j, k}, {i, j, k}, step(v));
  });
  u.store_in(a.buffer());
  v.store_in(b.buffer());

  Var t0("t0"), i0("i0"), j0("j0"), t1("t1"), i1("i1"), j1("j1"), lane("lane"), wave("wave");
  to_u.shift(i, 1).shift(j, 1);
  to_v.fuse(i, to_u, i).fuse(j, to_u, j);
  to_v.skew(t, i, 1, 0, 2, 1, t, i).interchange(i, j);
  to_v.skew(t, j, 1, 0, 2, 1, t, j).interchange(j, i);
  to_v.tile(t, i, j, side / 2, side, side, t0, i0, j0, t1, i1, j1);
  to_v.skew(t0, i0, 1, 1, wave, i0).parallelize(i0);
  // Rows are short: with masks, their first and last numbers take a vector each.
  for (Computation each : {to_v, to_u}) {
    each.vectorize(k, lanes, k, lane);
    if (m.masks) each.mask(lane).unroll(k, 2);
  }
  return {f, {a.buffer(), b.buffer()}};
}

}  // namespace kernel_heat_3d_benchmark
