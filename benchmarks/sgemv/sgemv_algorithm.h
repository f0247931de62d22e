// A matrix times a vector, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace sgemv_benchmark {

// Of each of 16 rows 16 partial sums grow at the same time, in registers; each vector of x that is
// loaded serves all rows, whose partial sums are added up together.
inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("sgemv");
  Param N = f.param("N");
  f.assume(N >= 16);
  Var i("i", 0, N), j("j", 0, N);
  Input a = f.input("a", f32, {N, N}), x = f.input("x", f32, {N});
  Computation y = f.computation("y", {i}, sum(j, a(i, j) * x(j)));

  Var strip("strip"), row("row"), lane("lane");
  y.split(i, 16, strip, row).parallelize(strip);
  y.split(j, 16, j, lane);
  Computation part = y.rfactor(lane, "part");
  part.compute_at(y, strip);
  part.interchange(row, j).vectorize(lane).separate(lane).unroll(row).separate(row);
  y.interchange(row, lane).vectorize(row).mask(row);
  return {f, {a.buffer(), x.buffer(), y.buffer()}};
}

}  // namespace sgemv_benchmark
