// Means of three neighbours, alternating between two arrays, and their schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_jacobi_1d_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  const int lanes = machine().lanes(f64);
  Function f("kernel_jacobi_1d");
  Param T = f.param("T"), N = f.param("N");
  Var t("t", 0, T), i("i", 1, N - 1), all("i", 0, N);
  Input a = f.input("A", f64, {N}), b = f.input("B", f64, {N});
  Computation u = f.computation("u", {all}, a(all)), v = f.computation("v", {all}, b(all));
  Computation to_v = v, to_u = u;
  f.loop(t, [&] {
    to_v = v.update({t, i}, {i}, 0.33333 * (u(i - 1) + u(i) + u(i + 1)));
    to_u = u.update({t, i}, {i}, 0.33333 * (v(i - 1) + v(i) + v(i + 1)));
  });
  u.store_in(a.buffer());
  v.store_in(b.buffer());

  Var i0("i0"), i1("i1"), lane("lane");
  for (Computation each : {to_v, to_u})
    each.shift(i, -1).split(i, 4 * lanes, i0, i1).vectorize(i1, lanes, i1, lane).unroll(i1);
  return {f, {a.buffer(), b.buffer()}};
}

}  // namespace kernel_jacobi_1d_benchmark
