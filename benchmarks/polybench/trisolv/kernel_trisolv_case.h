// Solves L x = b, L lower triangular.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_trisolv.h"

extern "C" void plain_kernel_trisolv(std::int64_t N, const double* L, double* x, const double* b);

namespace kernel_trisolv_benchmark {

using namespace polybench;

inline AllData data(Int N) {
  return {input({N, N}, [=](Int i, Int j, Int) { return 2 * ratio(i + N - j + 1, N); }),
          output({N}), input({N}, [=](Int i, Int, Int) { return double(i); })};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {400}}, {"large", {2000}}};
  // Each unknown accumulates the errors of all unknowns before it: 1.3e-11 was measured at size
  // 2000.
  static constexpr double tolerance = 1e-10;
  static inline const std::vector<Int> odd = {37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0])) {}
  void plain() { call(plain_kernel_trisolv); }
  void strata() { call(kernel_trisolv); }
};

}  // namespace kernel_trisolv_benchmark
