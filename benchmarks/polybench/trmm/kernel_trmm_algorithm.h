// B = alpha A^T B, A lower triangular with ones on the diagonal, and its schedule.
#pragma once

#include "benchmarks/polybench/common/product.h"

namespace kernel_trmm_benchmark {

// The sum over k has a part inside the tile of i, and a part shared by all rows of the tile.
inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_trmm");
  Param M = f.param("M"), N = f.param("N");
  const int height = machine().product_tile(f64).rows;
  Var i("i", 0, M), j("j", 0, N);
  const Expr next = i / height * height + height;
  Var k("k", next, M), close("k", i + 1, min(next, M));
  Var row("k", 0, M), left("i", 0, row / height * height);
  Input alpha = f.input("alpha", f64, {}), a = f.input("A", f64, {M, M});
  Input b = f.input("B", f64, {M, N});
  Computation rows = f.computation("rows", {row, left}, a(row, left));
  Computation ab = f.computation("ab", {i, j}, sum(k, rows(k, i) * b(k, j)));
  Computation near = f.computation("near", {i, j}, sum(close, a(close, i) * b(close, j)));
  Computation out = f.computation("out", {i, j}, alpha * (b(i, j) + near(i, j) + ab(i, j)));
  out.store_in(b.buffer());

  polybench::in_panels(rows, row, left);
  polybench::in_tiles(out, {ab, near}, i, j, k);
  polybench::through_panel(ab, b, "columns_of_b");
  return {f, {alpha.buffer(), a.buffer(), b.buffer()}};
}

}  // namespace kernel_trmm_benchmark
