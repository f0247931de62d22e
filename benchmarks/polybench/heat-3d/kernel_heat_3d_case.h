// Steps of the heat equation on a cube, alternating between two arrays.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_heat_3d.h"

extern "C" void plain_kernel_heat_3d(std::int64_t T, std::int64_t N, double* A, double* B);

namespace kernel_heat_3d_benchmark {

using namespace polybench;

inline AllData data(Int N) {
  return {result({N, N, N}, [=](Int i, Int j, Int k) { return 10 * ratio(i + j + N - k, N); }),
          result({N, N, N}, [=](Int i, Int j, Int k) { return 10 * ratio(i + j + N - k, N); })};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {100, 40}}, {"large", {500, 120}}};
  static inline const std::vector<Int> odd = {5, 19};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[1])) {}
  void plain() { call(plain_kernel_heat_3d); }
  void strata() { call(kernel_heat_3d); }
};

}  // namespace kernel_heat_3d_benchmark
