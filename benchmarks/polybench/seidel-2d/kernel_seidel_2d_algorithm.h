// Gauss-Seidel sweeps of means of nine neighbours, in place, and their schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_seidel_2d_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  const auto rows_in_cache = machine().fitting(2, 2000 * sizeof(double));
  Function f("kernel_seidel_2d");
  Param T = f.param("T"), N = f.param("N");
  Var t("t", 0, T), i("i", 1, N - 1), j("j", 1, N - 1), rows("i", 0, N), columns("j", 0, N);
  Input a = f.input("A", f64, {N, N});
  Computation u = f.computation("u", {rows, columns}, a(rows, columns)), sweep = u;
  f.loop(t, [&] {
    sweep = u.update({t, i, j}, {i, j},
                     (u(i - 1, j - 1) + u(i - 1, j) + u(i - 1, j + 1) + u(i, j - 1) + u(i, j) +
                      u(i, j + 1) + u(i + 1, j - 1) + u(i + 1, j) + u(i + 1, j + 1)) /
                         9.0);
  });
  u.store_in(a.buffer());

  Var t0("t0"), i0("i0"), t1("t1"), i1("i1"), i2("i2"), wave("wave");
  sweep.skew(t, i, 1, 0, 1, 1, t, i);
  sweep.tile(t, i, rows_in_cache / 4, rows_in_cache, t0, i0, t1, i1);
  sweep.skew(t0, i0, 1, 1, wave, i0);
  sweep.parallelize(i0);
  sweep.split(i1, 8, i1, i2);
  sweep.skew(i2, j, 1, 0, 2, 1, i2, j).interchange(i2, j);
  sweep.unroll(i2).separate(i2);
  return {f, {a.buffer()}};
}

}  // namespace kernel_seidel_2d_benchmark
