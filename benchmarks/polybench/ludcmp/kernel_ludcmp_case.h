// Solves A x = b by A = L U in place, L y = b and U x = y.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_ludcmp.h"

extern "C" void plain_kernel_ludcmp(std::int64_t N, double* A, const double* b, double* x,
                                    double* y);

namespace kernel_ludcmp_benchmark {

using namespace polybench;

inline AllData data(Int N) {
  return {definite_matrix(N), input({N}, [=](Int i, Int, Int) { return ratio(i + 1, N) / 2 + 4; }),
          output({N}), output({N})};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {400}}, {"large", {2000}}};
  static inline const std::vector<Int> odd = {37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0])) {}
  void plain() { call(plain_kernel_ludcmp); }
  void strata() { call(kernel_ludcmp); }
};

}  // namespace kernel_ludcmp_benchmark
