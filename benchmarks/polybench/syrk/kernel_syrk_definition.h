// C = beta C + alpha A A^T, the lower triangle: the definition alone.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_syrk_benchmark {

inline examples::Scheduled definition() {
  using namespace strata;
  Function f("kernel_syrk");
  Param M = f.param("M"), N = f.param("N");
  Var i("i", 0, N), j("j", 0, i + 1), k("k", 0, M);
  Input alpha = f.input("alpha", f64, {}), beta = f.input("beta", f64, {});
  Input c = f.input("C", f64, {N, N}), a = f.input("A", f64, {N, M});
  Computation aa = f.computation("aa", {i, j}, sum(k, a(i, k) * a(j, k)));
  Computation out = f.computation("out", {i, j}, beta * c(i, j) + alpha * aa(i, j));
  out.store_in(c.buffer());
  return {f, {alpha.buffer(), beta.buffer(), c.buffer(), a.buffer()}};
}

}  // namespace kernel_syrk_benchmark
