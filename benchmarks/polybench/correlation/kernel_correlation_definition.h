// Correlations of the columns of data: the definition alone.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_correlation_benchmark {

inline examples::Scheduled definition() {
  using namespace strata;
  Function f("kernel_correlation");
  Param M = f.param("M"), N = f.param("N");
  Var i("i", 0, M), j("j", 0, M), k("k", 0, N), right("j", i + 1, M), left("j", 0, i);
  Input data = f.input("data", f64, {N, M});
  const Expr n = cast(f64, Expr(N));
  Computation total = f.computation("total", {j}, sum(k, data(k, j)));
  Computation mean = f.computation("mean", {j}, total(j) / n);
  const Expr off = data(k, j) - mean(j);
  Computation squares = f.computation("squares", {j}, sum(k, off * off));
  const Expr deviation = sqrt(squares(j) / n);
  Computation stddev = f.computation("stddev", {j}, select(deviation <= 0.1, 1.0, deviation));
  Computation scaled = f.computation("scaled", {k, j}, off / (sqrt(n) * stddev(j)));
  Computation products =
      f.computation("products", {i, right}, sum(k, scaled(k, i) * scaled(k, right)));
  Computation corr = f.computation("corr", {i, right}, products(i, right));
  Computation diagonal = f.computation("diagonal", {i}, 1.0);
  Computation mirrored = f.computation("mirrored", {i, left}, corr(left, i));
  scaled.store_in(data.buffer());
  corr.store_in(corr.buffer());
  diagonal.store_in(corr.buffer(), {i, i});
  mirrored.store_in(corr.buffer());
  return {f, {data.buffer(), corr.buffer()}};
}

}  // namespace kernel_correlation_benchmark
