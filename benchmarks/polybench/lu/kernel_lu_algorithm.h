// A = L U, in place, and its schedule.
#pragma once

#include "benchmarks/polybench/common/elimination.h"

namespace kernel_lu_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_lu");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Input matrix = f.input("A", f64, {N, N});
  Computation a = f.computation("a", {i, j}, matrix(i, j));
  polybench::Elimination elimination(f, a, N);
  a.store_in(matrix.buffer());
  elimination.schedule(f);
  return {f, {matrix.buffer()}};
}

}  // namespace kernel_lu_benchmark
