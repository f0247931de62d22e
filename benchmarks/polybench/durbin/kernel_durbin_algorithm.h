// Solves the Yule-Walker equations of a symmetric Toeplitz matrix, and its schedule.
#pragma once

#include "benchmarks/polybench/common/sums.h"

namespace kernel_durbin_benchmark {

// Step k computes the solution y(0) .. y(k) of the leading k + 1 equations from the previous one:
//     beta = (1 - alpha^2) beta,  alpha = -(r(k) + sum over i < k of r(k - i - 1) y(i)) / beta
//     y(i) = y(i) + alpha y(k - i - 1)       i < k
//     y(k) = alpha
inline examples::Scheduled scheduled() {
  using namespace strata;
  const int lanes = machine().lanes(f64);
  Function f("kernel_durbin");
  Param N = f.param("N");
  f.assume(N >= 1);
  Var i("i", 0, N), k("k", 1, N), h("k", 0, N), below("i", 0, k);
  Input r = f.input("r", f64, {N});
  Computation y = f.computation("y", {i}, -r(0));
  Computation beta = y, sums = y, alpha = y, z = y, to_y = y, head = y;
  f.loop(k, [&] {
    beta = f.declare("beta", {k}, f64);
    sums = f.computation("sums", {k}, sum(below, r(k - below - 1) * y(below)));
    alpha = f.declare("alpha", {k}, f64);
    z = f.declare("z", {k, below}, f64);
    to_y = y.update({k, below}, {below}, z(k, below));
    head = y.update({k}, {k}, alpha(k));
  });
  const Expr before = select(k == 1, -r(0), alpha(k - 1));
  beta.define((1.0 - before * before) * select(k == 1, 1.0, beta(k - 1)));
  alpha.define(-(r(k) + sums(k)) / beta(k));
  z.define(y(below) + alpha(k) * y(k - below - 1));
  z.store_in({below});

  polybench::in_lanes(sums, i);
  z.vectorize(i, lanes);
  to_y.vectorize(i, lanes);
  return {f, {r.buffer(), y.buffer()}};
}

}  // namespace kernel_durbin_benchmark
