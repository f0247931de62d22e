// C = beta C + alpha A A^T, the lower triangle.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_syrk.h"

extern "C" void plain_kernel_syrk(std::int64_t M, std::int64_t N, const double* alpha,
                                  const double* beta, double* C, const double* A);

namespace kernel_syrk_benchmark {

using namespace polybench;

inline AllData data(Int M, Int N) {
  return {scalar(1.5), scalar(1.2),
          result({N, N}, [=](Int i, Int j, Int) { return fraction(i * j + 2, M); }),
          input({N, M}, [=](Int i, Int k, Int) { return fraction(i * k + 1, N); })};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {200, 240}}, {"large", {1000, 1200}}};
  static inline const std::vector<Int> odd = {21, 37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0], n[1])) {}
  void plain() { call(plain_kernel_syrk); }
  void strata() { call(kernel_syrk); }
};

}  // namespace kernel_syrk_benchmark
