// Solves L x = b, L lower triangular, and its schedule.
#pragma once

#include "benchmarks/polybench/common/sums.h"

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

  polybench::in_lanes(sums, j);
  return {f, {l.buffer(), x.buffer(), b.buffer()}};
}

}  // namespace kernel_trisolv_benchmark
