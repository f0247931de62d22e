// y = A^T (A x), and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_atax_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_atax");
  Param M = f.param("M"), N = f.param("N");
  Var i("i", 0, M), j("j", 0, N), k("k", 0, N);
  Input a = f.input("A", f64, {M, N}), x = f.input("x", f64, {N});
  Computation tmp = f.computation("tmp", {i}, sum(k, a(i, k) * x(k)));
  Computation y = f.computation("y", {j}, sum(i, a(i, j) * tmp(i)));

  Var i0("i0"), i1("i1"), k0("k0"), lane("lane"), v("v");
  y.interchange(j, i).split(i, 256, i0, i1);
  Computation rows = y.rfactor(i0, "rows");
  rows.store_in({i0, j});
  tmp.compute_at(rows, i1).split(k, 16, k0, lane);
  Computation part = tmp.rfactor(lane, "part");
  part.vectorize(lane, 8, lane, v).separate(v);
  part.unroll(lane).separate(lane);
  rows.vectorize(j, 8);
  y.vectorize(j, 8);
  rows.parallelize(i0);
  return {f, {a.buffer(), x.buffer(), y.buffer()}};
}

}  // namespace kernel_atax_benchmark
