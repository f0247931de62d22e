// Covariances of the columns of data.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_covariance.h"

extern "C" void plain_kernel_covariance(std::int64_t M, std::int64_t N, double* data, double* cov,
                                        double* mean);

namespace kernel_covariance_benchmark {

using namespace polybench;

inline AllData data(Int M, Int N) {
  return {result({N, M}, [=](Int i, Int j, Int) { return ratio(i * j, M); }), output({M, M}),
          scratch({M})};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {240, 260}}, {"large", {1200, 1400}}};
  static inline const std::vector<Int> odd = {37, 21};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0], n[1])) {}
  void plain() { call(plain_kernel_covariance); }
  void strata() { call(kernel_covariance); }
};

}  // namespace kernel_covariance_benchmark
