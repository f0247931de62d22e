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

  Var j0("j0"), lane("lane"), v("v");
  s.interchange(j, i);
  q.after(s, i);
  s.vectorize(j, 8);
  q.split(j, 32, j0, lane);
  Computation part = q.rfactor(lane, "part");
  part.vectorize(lane, 8, lane, v).mask(v);
  part.unroll(lane).guard(lane);
  return {f, {a.buffer(), s.buffer(), q.buffer(), p.buffer(), r.buffer()}};
}

}  // namespace kernel_bicg_benchmark
