// y = alpha A x + beta B x, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

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

  Var j0("j0"), lane("lane"), v("v");
  sums.compute_at(y, i);
  sums.split(j, 16, j0, lane);
  Computation part = sums.rfactor(lane, "part");
  part.vectorize(lane, 8, lane, v).separate(v);
  part.unroll(lane).separate(lane);
  y.parallelize(i);
  return {f, {alpha.buffer(), beta.buffer(), a.buffer(), b.buffer(), x.buffer(), y.buffer()}};
}

}  // namespace kernel_gesummv_benchmark
