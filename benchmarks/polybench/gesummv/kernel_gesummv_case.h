// y = alpha A x + beta B x.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_gesummv.h"

extern "C" void plain_kernel_gesummv(std::int64_t N, const double* alpha, const double* beta,
                                     const double* A, const double* B, const double* x, double* y);

namespace kernel_gesummv_benchmark {

using namespace polybench;

inline AllData data(Int N) {
  return {scalar(1.5),
          scalar(1.2),
          input({N, N}, [=](Int i, Int j, Int) { return fraction(i * j + 1, N); }),
          input({N, N}, [=](Int i, Int j, Int) { return fraction(i * j + 2, N); }),
          input({N}, [=](Int i, Int, Int) { return fraction(i, N); }),
          output({N})};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {250}}, {"large", {1300}}};
  static inline const std::vector<Int> odd = {37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0])) {}
  void plain() { call(plain_kernel_gesummv); }
  void strata() { call(kernel_gesummv); }
};

}  // namespace kernel_gesummv_benchmark
