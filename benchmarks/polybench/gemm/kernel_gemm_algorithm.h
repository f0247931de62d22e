// C = beta C + alpha A B, and its schedule.
#pragma once

#include "benchmarks/polybench/common/product.h"

namespace kernel_gemm_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_gemm");
  Param NI = f.param("NI"), NJ = f.param("NJ"), NK = f.param("NK");
  Var i("i", 0, NI), j("j", 0, NJ), k("k", 0, NK);
  Input alpha = f.input("alpha", f64, {}), beta = f.input("beta", f64, {});
  Input c = f.input("C", f64, {NI, NJ}), a = f.input("A", f64, {NI, NK});
  Input b = f.input("B", f64, {NK, NJ});
  Computation ab = f.computation("ab", {i, j}, sum(k, a(i, k) * b(k, j)));
  Computation out = f.computation("out", {i, j}, beta * c(i, j) + alpha * ab(i, j));
  out.store_in(c.buffer());

  polybench::in_tiles(out, {ab}, i, j, k);
  polybench::through_panel(ab, b, "columns_of_b");
  return {f, {alpha.buffer(), beta.buffer(), c.buffer(), a.buffer(), b.buffer()}};
}

}  // namespace kernel_gemm_benchmark
