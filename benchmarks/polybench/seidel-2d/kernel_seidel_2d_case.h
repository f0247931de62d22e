// Gauss-Seidel sweeps of means of nine neighbours, in place.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_seidel_2d.h"

extern "C" void plain_kernel_seidel_2d(std::int64_t T, std::int64_t N, double* A);

namespace kernel_seidel_2d_benchmark {

using namespace polybench;

inline AllData data(Int N) {
  return {result({N, N}, [=](Int i, Int j, Int) { return ratio(i * (j + 2) + 2, N); })};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {100, 400}}, {"large", {500, 2000}}};
  static inline const std::vector<Int> odd = {7, 37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[1])) {}
  void plain() { call(plain_kernel_seidel_2d); }
  void strata() { call(kernel_seidel_2d); }
};

}  // namespace kernel_seidel_2d_benchmark
