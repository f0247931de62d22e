// C = beta C + alpha A B.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_gemm.h"

extern "C" void plain_kernel_gemm(std::int64_t NI, std::int64_t NJ, std::int64_t NK,
                                  const double* alpha, const double* beta, double* C,
                                  const double* A, const double* B);

namespace kernel_gemm_benchmark {

using namespace polybench;

inline AllData data(Int NI, Int NJ, Int NK) {
  return {scalar(1.5), scalar(1.2),
          result({NI, NJ}, [=](Int i, Int j, Int) { return fraction(i * j + 1, NI); }),
          input({NI, NK}, [=](Int i, Int k, Int) { return fraction(i * (k + 1), NK); }),
          input({NK, NJ}, [=](Int k, Int j, Int) { return fraction(k * (j + 2), NJ); })};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {200, 220, 240}},
                                                 {"large", {1000, 1100, 1200}}};
  static inline const std::vector<Int> odd = {13, 37, 21};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0], n[1], n[2])) {}
  void plain() { call(plain_kernel_gemm); }
  void strata() { call(kernel_gemm); }
};

}  // namespace kernel_gemm_benchmark
