// B = alpha A^T B, A lower triangular with ones on the diagonal.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_trmm.h"

extern "C" void plain_kernel_trmm(std::int64_t M, std::int64_t N, const double* alpha,
                                  const double* A, double* B);

namespace kernel_trmm_benchmark {

using namespace polybench;

inline AllData data(Int M, Int N) {
  return {scalar(1.5), input({M, M}, [=](Int k, Int i, Int) { return fraction(k + i, M); }),
          result({M, N}, [=](Int i, Int j, Int) { return fraction(N + i - j, N); })};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {200, 240}}, {"large", {1000, 1200}}};
  static inline const std::vector<Int> odd = {21, 37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0], n[1])) {}
  void plain() { call(plain_kernel_trmm); }
  void strata() { call(kernel_trmm); }
};

}  // namespace kernel_trmm_benchmark
