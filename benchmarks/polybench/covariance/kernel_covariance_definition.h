// Covariances of the columns of data: the definition alone.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_covariance_benchmark {

inline examples::Scheduled definition() {
  using namespace strata;
  Function f("kernel_covariance");
  Param M = f.param("M"), N = f.param("N");
  Var i("i", 0, M), j("j", 0, M), k("k", 0, N), right("j", i, M), left("j", 0, i);
  Input data = f.input("data", f64, {N, M});
  const Expr n = cast(f64, Expr(N));
  Computation total = f.computation("total", {j}, sum(k, data(k, j)));
  Computation mean = f.computation("mean", {j}, total(j) / n);
  Computation centred = f.computation("centred", {k, j}, data(k, j) - mean(j));
  Computation products =
      f.computation("products", {i, right}, sum(k, centred(k, i) * centred(k, right)));
  Computation cov = f.computation("cov", {i, right}, products(i, right) / (n - 1.0));
  Computation mirrored = f.computation("mirrored", {i, left}, cov(left, i));
  centred.store_in(data.buffer());
  cov.store_in(cov.buffer());
  mirrored.store_in(cov.buffer());
  return {f, {data.buffer(), cov.buffer()}};
}

}  // namespace kernel_covariance_benchmark
