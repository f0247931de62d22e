// s = A^T r and q = A p, and their schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_bicg_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_bicg");
  Param M = f.param("M"), N = f.param("N");
  Var i("i", 0, N), j("j", 0, M);
  Input a = f.input("A", f64, {N, M}), p = f.input("p", f64, {M}), r = f.input("r", f64, {N});
  Computation s = f.computation("s", {j}, sum(i, r(i) * a(i, j)));
  Computation q = f.computation("q", {i}, sum(j, a(i, j) * p(j)));

  Var i0("i0"), i1("i1"), j0("j0"), lane("lane"), v("v");
  s.interchange(j, i).split(i, 256, i0, i1);
  Computation rows = s.rfactor(i0, "rows");
  rows.store_in({i0, j});
  q.split(i, 256, i0, i1).after(rows, i1);
  q.split(j, 16, j0, lane);
  Computation part = q.rfactor(lane, "part");
  part.vectorize(lane, 8, lane, v).separate(v);
  part.unroll(lane).separate(lane);
  rows.vectorize(j, 8);
  s.vectorize(j, 8);
  rows.parallelize(i0);
  return {f, {a.buffer(), s.buffer(), q.buffer(), p.buffer(), r.buffer()}};
}

}  // namespace kernel_bicg_benchmark
