// C = beta C + alpha A A^T, the lower triangle, and its schedule.
#pragma once

#include "benchmarks/polybench/common/product.h"

namespace kernel_syrk_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  const int lanes = machine().lanes(f64);
  Function f("kernel_syrk");
  Param M = f.param("M"), N = f.param("N");
  Var i("i", 0, N), j("j", 0, i + 1), k("k", 0, M), column("j", 0, N);
  Input alpha = f.input("alpha", f64, {}), beta = f.input("beta", f64, {});
  Input c = f.input("C", f64, {N, N}), a = f.input("A", f64, {N, M});
  Computation at = f.computation("at", {k, column}, a(column, k));
  Computation aa = f.computation("aa", {i, j}, sum(k, a(i, k) * at(k, j)));
  Computation out = f.computation("out", {i, j}, beta * c(i, j) + alpha * aa(i, j));
  out.store_in(c.buffer());

  polybench::in_tiles(out, {aa}, i, j, k);
  at.compute_at(out, Var("j0"));
  at.vectorize(k, lanes, k, Var("lane")).mask(Var("lane"));
  return {f, {alpha.buffer(), beta.buffer(), c.buffer(), a.buffer()}};
}

}  // namespace kernel_syrk_benchmark
