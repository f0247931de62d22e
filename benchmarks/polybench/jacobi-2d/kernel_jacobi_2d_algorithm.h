// Means of five neighbours, alternating between two arrays, and their schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_jacobi_2d_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f64);
  const auto rows_in_cache = m.fitting(2, 2 * 1300 * sizeof(double));  // of both arrays
  Function f("kernel_jacobi_2d");
  Param T = f.param("T"), N = f.param("N");
  Var t("t", 0, T), i("i", 1, N - 1), j("j", 1, N - 1), rows("i", 0, N), columns("j", 0, N);
  Input a = f.input("A", f64, {N, N}), b = f.input("B", f64, {N, N});
  Computation u = f.computation("u", {rows, columns}, a(rows, columns));
  Computation v = f.computation("v", {rows, columns}, b(rows, columns));
  const auto mean = [&](const Computation& x) {
    return 0.2 * (x(i, j) + x(i, j - 1) + x(i, j + 1) + x(i + 1, j) + x(i - 1, j));
  };
  Computation to_v = v, to_u = u;
  f.loop(t, [&] {
    to_v = v.update({t, i, j}, {i, j}, mean(u));
    to_u = u.update({t, i, j}, {i, j}, mean(v));
  });
  u.store_in(a.buffer());
  v.store_in(b.buffer());

  Var t0("t0"), i0("i0"), t1("t1"), i1("i1"), wave("wave");
  to_u.shift(i, 1);
  to_v.fuse(i, to_u, i);
  to_v.skew(t, i, 1, 0, 2, 1, t, i);
  to_v.tile(t, i, rows_in_cache, rows_in_cache, t0, i0, t1, i1);
  to_v.skew(t0, i0, 1, 1, wave, i0);
  to_v.parallelize(i0);
  to_v.vectorize(j, lanes);
  to_u.vectorize(j, lanes);
  return {f, {a.buffer(), b.buffer()}};
}

}  // namespace kernel_jacobi_2d_benchmark
