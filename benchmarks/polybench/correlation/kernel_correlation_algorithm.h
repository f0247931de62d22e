// Correlations of the columns of data, and their schedule.
#pragma once

#include "benchmarks/polybench/common/product.h"

namespace kernel_correlation_benchmark {

// Tiles on the diagonal are computed whole: values below the diagonal equal those above it.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f64), in_line = m.line / sizeof(double);
  Function f("kernel_correlation");
  Param M = f.param("M"), N = f.param("N");
  const int width = m.product_tile(f64).columns;
  Var i("i", 0, M), j("j", i / width * width, M), k("k", 0, N), column("j", 0, M),
      left("j", 0, i / width * width), lane("lane");
  Input data = f.input("data", f64, {N, M});
  Expr n = cast(f64, Expr(N));
  Computation total = f.computation("total", {column}, sum(k, data(k, column)));
  Computation mean = f.computation("mean", {column}, total(column) / n);
  Expr off = data(k, column) - mean(column);
  Computation squares = f.computation("squares", {column}, sum(k, off * off));
  Expr deviation = sqrt(squares(column) / n);
  Computation stddev = f.computation("stddev", {column}, select(deviation <= 0.1, 1.0, deviation));
  Computation scaled = f.computation("scaled", {k, column}, off / (sqrt(n) * stddev(column)));
  Computation columns = f.computation("columns", {k, column}, scaled(k, column));
  Computation rows = f.computation("rows", {k, column}, scaled(k, column));
  Computation products = f.computation("products", {i, j}, sum(k, rows(k, i) * columns(k, j)));
  Computation corr = f.computation("corr", {i, j}, products(i, j));
  Computation diagonal = f.computation("diagonal", {i}, 1.0);
  Computation mirrored = f.computation("mirrored", {i, left}, corr(left, i));

  scaled.store_in(data.buffer());
  polybench::in_panels(rows, k, j);
  corr.store_in(corr.buffer());
  diagonal.store_in(corr.buffer(), {i, i});
  mirrored.store_in(corr.buffer()).tile(i, left, in_line, in_line).parallelize(i);
  polybench::in_blocks_of_columns(scaled, {stddev, squares, mean, total}, {squares, total}, j, k);
  polybench::in_tiles(corr, {products}, i, j, k);
  columns.compute_at(corr, Var("j0")).vectorize(j, lanes, j, lane).mask(lane);
  return {f, {data.buffer(), corr.buffer()}};
}

}  // namespace kernel_correlation_benchmark
