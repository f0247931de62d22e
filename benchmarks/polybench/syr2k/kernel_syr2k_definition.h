// C = beta C + alpha A B^T + alpha B A^T, the lower triangle: the definition alone.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_syr2k_benchmark {

inline examples::Scheduled definition() {
  using namespace strata;
  Function f("kernel_syr2k");
  Param M = f.param("M"), N = f.param("N");
  Var i("i", 0, N), j("j", 0, i + 1), k("k", 0, M);
  Input alpha = f.input("alpha", f64, {}), beta = f.input("beta", f64, {});
  Input c = f.input("C", f64, {N, N}), a = f.input("A", f64, {N, M}), b = f.input("B", f64, {N, M});
  Computation ab = f.computation("ab", {i, j}, sum(k, a(i, k) * b(j, k)));
  Computation ba = f.computation("ba", {i, j}, sum(k, b(i, k) * a(j, k)));
  Computation out = f.computation("out", {i, j}, beta * c(i, j) + alpha * (ab(i, j) + ba(i, j)));
  out.store_in(c.buffer());
  return {f, {alpha.buffer(), beta.buffer(), c.buffer(), a.buffer(), b.buffer()}};
}

}  // namespace kernel_syr2k_benchmark
