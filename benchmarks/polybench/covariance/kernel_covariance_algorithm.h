// Covariances of the columns of data, and their schedule.
#pragma once

#include "benchmarks/polybench/common/product.h"

namespace kernel_covariance_benchmark {

// Tiles on the diagonal are whole: what is computed below it is the same as above.
inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_covariance");
  Param M = f.param("M"), N = f.param("N");
  const int width = polybench::tile_columns;
  Var i("i", 0, M), j("j", i / width * width, M), k("k", 0, N), column("j", 0, M),
      left("j", 0, i / width * width), lane("lane"), block("block"), j1("j1");
  Input data = f.input("data", f64, {N, M});
  Expr n = cast(f64, Expr(N));
  Computation total = f.computation("total", {column}, sum(k, data(k, column)));
  Computation mean = f.computation("mean", {column}, total(column) / n);
  Computation centred = f.computation("centred", {k, column}, data(k, column) - mean(column));
  Computation columns = f.computation("columns", {k, column}, centred(k, column));
  Computation products = f.computation("products", {i, j}, sum(k, centred(k, i) * columns(k, j)));
  Computation cov = f.computation("cov", {i, j}, products(i, j) / (n - 1.0));
  Computation mirrored = f.computation("mirrored", {i, left}, cov(left, i));
  centred.store_in(data.buffer());
  cov.store_in(cov.buffer());
  mirrored.store_in(cov.buffer());

  centred.split(j, 64, block, j1).interchange(k, block).parallelize(block).vectorize(j1, 8);
  mean.compute_at(centred, block).vectorize(j, 8);
  total.compute_at(centred, block).interchange(j, k).vectorize(j, 8);
  polybench::in_tiles(cov, {products}, i, j, k);
  columns.compute_at(cov, Var("j0")).vectorize(j, 8, j, lane).mask(lane);
  mirrored.tile(i, j, 8, 8).parallelize(i);
  return {f, {data.buffer(), cov.buffer()}};
}

}  // namespace kernel_covariance_benchmark
