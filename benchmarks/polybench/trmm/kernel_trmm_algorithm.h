// B = alpha A^T B, A lower triangular with ones on the diagonal, and its schedule.
#pragma once

#include "benchmarks/polybench/common/product.h"

namespace kernel_trmm_benchmark {

// The first steps of a tile's sums have guards, since k begins below the diagonal.
inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_trmm");
  Param M = f.param("M"), N = f.param("N");
  Var i("i", 0, M), j("j", 0, N), k("k", i + 1, M), row("k", 0, M), left("i", 0, row);
  Input alpha = f.input("alpha", f64, {}), a = f.input("A", f64, {M, M});
  Input b = f.input("B", f64, {M, N});
  Computation rows = f.computation("rows", {row, left}, a(row, left));
  Computation ab = f.computation("ab", {i, j}, sum(k, rows(k, i) * b(k, j)));
  Computation out = f.computation("out", {i, j}, alpha * (b(i, j) + ab(i, j)));
  out.store_in(b.buffer());

  polybench::in_panels(rows, row, left);
  polybench::in_tiles(out, {ab}, i, j, k);
  polybench::through_panel(ab, b, "columns_of_b");
  return {f, {alpha.buffer(), a.buffer(), b.buffer()}};
}

}  // namespace kernel_trmm_benchmark
