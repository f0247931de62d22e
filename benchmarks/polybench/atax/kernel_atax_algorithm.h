// y = A^T (A x), and its schedule.
#pragma once

#include "benchmarks/polybench/common/sums.h"

namespace kernel_atax_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_atax");
  Param M = f.param("M"), N = f.param("N");
  Var i("i", 0, M), j("j", 0, N), k("k", 0, N);
  Input a = f.input("A", f64, {M, N}), x = f.input("x", f64, {N});
  Computation tmp = f.computation("tmp", {i}, sum(k, a(i, k) * x(k)));
  Computation y = f.computation("y", {j}, sum(i, a(i, j) * tmp(i)));

  Computation rows = polybench::in_blocks_of_rows(y, i, j);
  tmp.compute_at(rows, Var("i1"));
  polybench::in_lanes(tmp, k);
  rows.parallelize(Var("i0"));
  return {f, {a.buffer(), x.buffer(), y.buffer()}};
}

}  // namespace kernel_atax_benchmark
