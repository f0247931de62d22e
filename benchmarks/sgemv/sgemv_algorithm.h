// A matrix times a vector, and its schedule.
#pragma once

#include "benchmarks/common/strips.h"

namespace sgemv_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("sgemv");
  Param N = f.param("N");
  f.assume(N >= 16);
  Var i("i", 0, N), j("j", 0, N);
  Input a = f.input("a", f32, {N, N}), x = f.input("x", f32, {N});
  Computation y = f.computation("y", {i}, sum(j, a(i, j) * x(j)));

  benchmarks::in_strips(y, i, j, 4, 2);
  return {f, {a.buffer(), x.buffer(), y.buffer()}};
}

}  // namespace sgemv_benchmark
