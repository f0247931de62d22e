// A = L L^T, the lower triangle, in place.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_cholesky.h"

extern "C" void plain_kernel_cholesky(std::int64_t N, double* A);

namespace kernel_cholesky_benchmark {

using namespace polybench;

inline AllData data(Int N) { return {definite_matrix(N)}; }

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {400}}, {"large", {2000}}};
  static inline const std::vector<Int> odd = {37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0])) {}
  void plain() { call(plain_kernel_cholesky); }
  void strata() { call(kernel_cholesky); }
};

}  // namespace kernel_cholesky_benchmark
