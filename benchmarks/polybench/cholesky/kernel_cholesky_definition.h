// A = L L^T, the lower triangle, in place: the definition alone.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_cholesky_benchmark {

inline examples::Scheduled definition() {
  using namespace strata;
  Function f("kernel_cholesky");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, i + 1), k("k", 0, N), below("i", k + 1, N),
      right("j", k + 1, below + 1);
  Input matrix = f.input("A", f64, {N, N});
  Computation a = f.computation("a", {i, j}, matrix(i, j));
  f.loop(k, [&] {
    a.update({k}, {k, k}, sqrt(a(k, k)));
    a.update({k, below}, {below, k}, a(below, k) / a(k, k));
    a.update({k, below, right}, {below, right}, a(below, right) - a(below, k) * a(right, k));
  });
  a.store_in(matrix.buffer());
  return {f, {matrix.buffer()}, {{"N", 2000}}};
}

}  // namespace kernel_cholesky_benchmark
