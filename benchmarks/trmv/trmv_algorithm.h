// A triangular matrix times a vector, and its schedule.
#pragma once

#include "benchmarks/common/strips.h"

namespace trmv_benchmark {

// Only the part of each row up to the diagonal exists: the domain is a triangle, and no iteration
// falls outside it except in the last tile of a strip, a square.
inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("trmv");
  Param N = f.param("N");
  f.assume(N >= 16);
  Var i("i", 0, N), j("j", 0, i + 1);
  Input a = f.input("a", f32, {N, N}), x = f.input("x", f32, {N});
  Computation y = f.computation("y", {i}, sum(j, a(i, j) * x(j)));

  benchmarks::in_strips(y, i, j, machine().lanes(f32), 1);
  return {f, {a.buffer(), x.buffer(), y.buffer()}};
}

}  // namespace trmv_benchmark
