// B = A + u1 v1^T + u2 v2^T, x = beta B^T y + z and w = alpha B x, and their schedule.
#pragma once

#include "benchmarks/polybench/common/sums.h"

namespace kernel_gemver_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  const int lanes = machine().lanes(f64);
  Function f("kernel_gemver");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Input alpha = f.input("alpha", f64, {}), beta = f.input("beta", f64, {});
  Input a = f.input("A", f64, {N, N}), u1 = f.input("u1", f64, {N}), v1 = f.input("v1", f64, {N});
  Input u2 = f.input("u2", f64, {N}), v2 = f.input("v2", f64, {N}), y = f.input("y", f64, {N});
  Input z = f.input("z", f64, {N});
  Computation b = f.computation("b", {i, j}, a(i, j) + u1(i) * v1(j) + u2(i) * v2(j));
  Computation by = f.computation("by", {j}, sum(i, b(i, j) * y(i)));
  Computation x = f.computation("x", {j}, beta * by(j) + z(j));
  Computation bx = f.computation("bx", {i}, sum(j, b(i, j) * x(j)));
  Computation w = f.computation("w", {i}, alpha * bx(i));
  b.store_in(a.buffer());

  Var i0("i0"), i1("i1");
  Computation rows = polybench::in_blocks_of_rows(by, i, j);
  b.split(i, polybench::block_rows(), i0, i1).vectorize(j, lanes);
  rows.after(b, i1);
  bx.compute_at(w, i);
  polybench::in_lanes(bx, j);
  b.parallelize(i0);
  w.parallelize(i);
  return {f,
          {alpha.buffer(), beta.buffer(), a.buffer(), u1.buffer(), v1.buffer(), u2.buffer(),
           v2.buffer(), w.buffer(), x.buffer(), y.buffer(), z.buffer()}};
}

}  // namespace kernel_gemver_benchmark
