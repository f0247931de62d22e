// Means of five neighbours, alternating between two arrays.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_jacobi_2d.h"

extern "C" void plain_kernel_jacobi_2d(std::int64_t T, std::int64_t N, double* A, double* B);

namespace kernel_jacobi_2d_benchmark {

using namespace polybench;

inline AllData data(Int N) {
  return {result({N, N}, [=](Int i, Int j, Int) { return ratio(i * (j + 2) + 2, N); }),
          result({N, N}, [=](Int i, Int j, Int) { return ratio(i * (j + 3) + 3, N); })};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {100, 250}}, {"large", {500, 1300}}};
  static inline const std::vector<Int> odd = {7, 37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[1])) {}
  void plain() { call(plain_kernel_jacobi_2d); }
  void strata() { call(kernel_jacobi_2d); }
};

}  // namespace kernel_jacobi_2d_benchmark
