// Solves L x = b, L lower triangular, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_trisolv_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_trisolv");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, i);
  Input l = f.input("L", f64, {N, N}), b = f.input("b", f64, {N});
  Computation x = f.computation("x", {i}, b(i)), sums = x, solved = x;
  f.loop(i, [&] {
    sums = f.computation("sums", {i}, sum(j, l(i, j) * x(j)));
    solved = x.update({i}, {i}, (x(i) - sums(i)) / l(i, i));
  });

  Var j0("j0"), lane("lane"), v("v");
  sums.split(j, 16, j0, lane);
  Computation part = sums.rfactor(lane, "part");
  part.vectorize(lane, 8, lane, v).separate(v);
  part.unroll(lane).separate(lane);
  return {f, {l.buffer(), x.buffer(), b.buffer()}};
}

}  // namespace kernel_trisolv_benchmark
