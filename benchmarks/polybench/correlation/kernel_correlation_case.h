// Correlations of the columns of data.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_correlation.h"

extern "C" void plain_kernel_correlation(std::int64_t M, std::int64_t N, double* data, double* corr,
                                         double* mean, double* stddev);

namespace kernel_correlation_benchmark {

using namespace polybench;

inline AllData data(Int M, Int N) {
  return {result({N, M}, [=](Int i, Int j, Int) { return ratio(i * j, M) + double(i); }),
          output({M, M}), scratch({M}), scratch({M})};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {240, 260}}, {"large", {1200, 1400}}};
  static inline const std::vector<Int> odd = {37, 21};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0], n[1])) {}
  void plain() { call(plain_kernel_correlation); }
  void strata() { call(kernel_correlation); }
};

}  // namespace kernel_correlation_benchmark
