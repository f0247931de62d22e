// s = A^T r and q = A p, and their schedule.
#pragma once

#include "benchmarks/polybench/common/sums.h"

namespace kernel_bicg_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_bicg");
  Param M = f.param("M"), N = f.param("N");
  Var i("i", 0, N), j("j", 0, M);
  Input a = f.input("A", f64, {N, M}), p = f.input("p", f64, {M}), r = f.input("r", f64, {N});
  Computation s = f.computation("s", {j}, sum(i, r(i) * a(i, j)));
  Computation q = f.computation("q", {i}, sum(j, a(i, j) * p(j)));

  Var i0("i0"), i1("i1");
  Computation rows = polybench::in_blocks_of_rows(s, i, j);
  q.split(i, polybench::block_rows(), i0, i1).after(rows, i1);
  polybench::in_lanes(q, j);
  rows.parallelize(i0);
  return {f, {a.buffer(), s.buffer(), q.buffer(), p.buffer(), r.buffer()}};
}

}  // namespace kernel_bicg_benchmark
