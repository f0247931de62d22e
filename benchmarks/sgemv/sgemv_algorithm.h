// A matrix times a vector, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace sgemv_benchmark {

// Of each row 64 partial sums grow at the same time, in registers.
inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("sgemv");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Input a = f.input("a", f32, {N, N}), x = f.input("x", f32, {N});
  Computation y = f.computation("y", {i}, sum(j, a(i, j) * x(j)));

  Var strip("strip"), row("row"), lane("lane"), v("v");
  y.split(i, 16, strip, row).parallelize(strip);
  y.split(j, 64, j, lane);
  Computation part = y.rfactor(lane, "part");
  part.compute_at(y, row);
  part.vectorize(lane, 16, lane, v).unroll(lane).mask(v);
  return {f, {a.buffer(), x.buffer(), y.buffer()}};
}

}  // namespace sgemv_benchmark
