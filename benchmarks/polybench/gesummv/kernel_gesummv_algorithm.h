// y = alpha A x + beta B x, and its schedule.
#pragma once

#include "benchmarks/polybench/common/sums.h"

namespace kernel_gesummv_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_gesummv");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Input alpha = f.input("alpha", f64, {}), beta = f.input("beta", f64, {});
  Input a = f.input("A", f64, {N, N}), b = f.input("B", f64, {N, N}), x = f.input("x", f64, {N});
  Computation sums = f.computation("sums", {i}, sum(j, (alpha * a(i, j) + beta * b(i, j)) * x(j)));
  Computation y = f.computation("y", {i}, sums(i));

  sums.compute_at(y, i);
  polybench::in_lanes(sums, j);
  y.parallelize(i);
  return {f, {alpha.buffer(), beta.buffer(), a.buffer(), b.buffer(), x.buffer(), y.buffer()}};
}

}  // namespace kernel_gesummv_benchmark
