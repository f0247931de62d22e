// y = A^T (A x).
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_atax.h"

extern "C" void plain_kernel_atax(std::int64_t M, std::int64_t N, const double* A, const double* x,
                                  double* y, double* tmp);

namespace kernel_atax_benchmark {

using namespace polybench;

inline AllData data(Int M, Int N) {
  return {input({M, N}, [=](Int i, Int j, Int) { return ratio((i + j) % N, 5 * M); }),
          input({N}, [=](Int i, Int, Int) { return 1 + ratio(i, N); }), output({N}), scratch({M})};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {390, 410}}, {"large", {1900, 2100}}};
  static inline const std::vector<Int> odd = {21, 37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0], n[1])) {}
  void plain() { call(plain_kernel_atax); }
  void strata() { call(kernel_atax); }
};

}  // namespace kernel_atax_benchmark
