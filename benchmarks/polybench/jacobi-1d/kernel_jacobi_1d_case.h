// Means of three neighbours, alternating between two arrays.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_jacobi_1d.h"

extern "C" void plain_kernel_jacobi_1d(std::int64_t T, std::int64_t N, double* A, double* B);

namespace kernel_jacobi_1d_benchmark {

using namespace polybench;

inline AllData data(Int N) {
  return {result({N}, [=](Int i, Int, Int) { return ratio(i + 2, N); }),
          result({N}, [=](Int i, Int, Int) { return ratio(i + 3, N); })};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {100, 400}}, {"large", {500, 2000}}};
  static inline const std::vector<Int> odd = {7, 37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[1])) {}
  void plain() { call(plain_kernel_jacobi_1d); }
  void strata() { call(kernel_jacobi_1d); }
};

}  // namespace kernel_jacobi_1d_benchmark
