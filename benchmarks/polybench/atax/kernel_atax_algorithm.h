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

  Var k0("k0"), lane("lane"), v("v");
  y.interchange(j, i);
  y.vectorize(j, 8);
  tmp.compute_at(y, i);
  tmp.split(k, 32, k0, lane);
  Computation part = tmp.rfactor(lane, "part");
  part.vectorize(lane, 8, lane, v).mask(v);
  part.unroll(lane).guard(lane);
  return {f, {a.buffer(), x.buffer(), y.buffer()}};
}

}  // namespace kernel_atax_benchmark
