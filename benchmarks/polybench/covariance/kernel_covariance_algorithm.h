// Covariances of the columns of data, and their schedule.
#pragma once

#include "benchmarks/polybench/common/product.h"

namespace kernel_covariance_benchmark {

// Tiles on the diagonal are computed whole: values below the diagonal equal those above it.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f64), in_line = m.line / sizeof(double);
  Function f("kernel_covariance");
  Param M = f.param("M"), N = f.param("N");
  const int width = m.product_tile(f64).columns;
  Var i("i", 0, M), j("j", i / width * width, M), k("k", 0, N), column("j", 0, M),
      left("j", 0, i / width * width), lane("lane");
  Input data = f.input("data", f64, {N, M});
  Expr n = cast(f64, Expr(N));
  Computation total = f.computation("total", {column}, sum(k, data(k, column)));
  Computation mean = f.computation("mean", {column}, total(column) / n);
  Computation centred = f.computation("centred", {k, column}, data(k, column) - mean(column));
  Computation columns = f.computation("columns", {k, column}, centred(k, column));
  Computation rows = f.computation("rows", {k, column}, centred(k, column));
  Computation products = f.computation("products", {i, j}, sum(k, rows(k, i) * columns(k, j)));
  Computation cov = f.computation("cov", {i, j}, products(i, j) / (n - 1.0));
  Computation mirrored = f.computation("mirrored", {i, left}, cov(left, i));

  centred.store_in(data.buffer());
  polybench::in_panels(rows, k, j);
  cov.store_in(cov.buffer());
  mirrored.store_in(cov.buffer()).tile(i, left, in_line, in_line).parallelize(i);
  polybench::in_blocks_of_columns(centred, {mean, total}, {total}, j, k);
  polybench::in_tiles(cov, {products}, i, j, k);
  columns.compute_at(cov, Var("j0")).vectorize(j, lanes, j, lane).mask(lane);
  return {f, {data.buffer(), cov.buffer()}};
}

}  // namespace kernel_covariance_benchmark
