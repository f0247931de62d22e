// C = beta C + alpha A B, where A is symmetric and its lower triangle is read.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_symm.h"

extern "C" void plain_kernel_symm(std::int64_t M, std::int64_t N, const double* alpha,
                                  const double* beta, double* C, const double* A, const double* B);

namespace kernel_symm_benchmark {

using namespace polybench;

inline AllData data(Int M, Int N) {
  return {scalar(1.5), scalar(1.2),
          result({M, N}, [=](Int i, Int j, Int) { return ratio((i + j) % 100, M); }),
          input({M, M}, [=](Int i, Int k, Int) { return ratio((i + k) % 100, M); }),
          input({M, N}, [=](Int k, Int j, Int) { return ratio((N + k - j) % 100, M); })};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {200, 240}}, {"large", {1000, 1200}}};
  static inline const std::vector<Int> odd = {21, 37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0], n[1])) {}
  void plain() { call(plain_kernel_symm); }
  void strata() { call(kernel_symm); }
};

}  // namespace kernel_symm_benchmark
