// C = beta C + alpha A B, where A is symmetric and its lower triangle is read, and its schedule.
#pragma once

#include "benchmarks/polybench/common/product.h"

namespace kernel_symm_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  const int in_line = machine().line / sizeof(double);
  Function f("kernel_symm");
  Param M = f.param("M"), N = f.param("N");
  Var i("i", 0, M), j("j", 0, N), k("k", 0, M);
  Input alpha = f.input("alpha", f64, {}), beta = f.input("beta", f64, {});
  Input c = f.input("C", f64, {M, N}), a = f.input("A", f64, {M, M}), b = f.input("B", f64, {M, N});
  Computation whole = f.computation("whole", {i, k}, select(k <= i, a(i, k), a(k, i)));
  Computation ab = f.computation("ab", {i, j}, sum(k, whole(i, k) * b(k, j)));
  Computation out = f.computation("out", {i, j}, beta * c(i, j) + alpha * ab(i, j));
  out.store_in(c.buffer());

  polybench::in_tiles(out, {ab}, i, j, k);
  polybench::through_panel(ab, b, "columns_of_b");
  whole.tile(i, k, in_line, in_line).parallelize(i);
  return {f, {alpha.buffer(), beta.buffer(), c.buffer(), a.buffer(), b.buffer()}};
}

}  // namespace kernel_symm_benchmark
