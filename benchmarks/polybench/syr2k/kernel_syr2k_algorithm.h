// C = beta C + alpha A B^T + alpha B A^T, the lower triangle, and its schedule.
#pragma once

#include "benchmarks/polybench/common/product.h"

namespace kernel_syr2k_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  const int lanes = machine().lanes(f64);
  Function f("kernel_syr2k");
  Param M = f.param("M"), N = f.param("N");
  Var i("i", 0, N), j("j", 0, i + 1), k("k", 0, M), column("j", 0, N), lane("lane");
  Input alpha = f.input("alpha", f64, {}), beta = f.input("beta", f64, {});
  Input c = f.input("C", f64, {N, N}), a = f.input("A", f64, {N, M}), b = f.input("B", f64, {N, M});
  Computation at = f.computation("at", {k, column}, a(column, k));
  Computation bt = f.computation("bt", {k, column}, b(column, k));
  Computation ab = f.computation("ab", {i, j}, sum(k, a(i, k) * bt(k, j)));
  Computation ba = f.computation("ba", {i, j}, sum(k, b(i, k) * at(k, j)));
  Computation out = f.computation("out", {i, j}, beta * c(i, j) + alpha * (ab(i, j) + ba(i, j)));
  out.store_in(c.buffer());

  polybench::in_tiles(out, {ab, ba}, i, j, k);
  at.compute_at(out, Var("j0")).vectorize(k, lanes, k, lane).mask(lane);
  bt.compute_at(out, Var("j0")).vectorize(k, lanes, k, lane).mask(lane);
  return {f, {alpha.buffer(), beta.buffer(), c.buffer(), a.buffer(), b.buffer()}};
}

}  // namespace kernel_syr2k_benchmark
