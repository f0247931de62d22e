// B = A + u1 v1^T + u2 v2^T, x = beta B^T y + z and w = alpha B x.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_gemver.h"

extern "C" void plain_kernel_gemver(std::int64_t N, const double* alpha, const double* beta,
                                    double* A, const double* u1, const double* v1, const double* u2,
                                    const double* v2, double* w, double* x, const double* y,
                                    const double* z);

namespace kernel_gemver_benchmark {

using namespace polybench;

inline AllData data(Int N) {
  return {scalar(1.5),
          scalar(1.2),
          result({N, N}, [=](Int i, Int j, Int) { return fraction(i * j, N); }),
          input({N}, [=](Int i, Int, Int) { return double(i); }),
          input({N}, [=](Int i, Int, Int) { return ratio(i + 1, N) / 4; }),
          input({N}, [=](Int i, Int, Int) { return ratio(i + 1, N) / 2; }),
          input({N}, [=](Int i, Int, Int) { return ratio(i + 1, N) / 6; }),
          output({N}),
          output({N}),
          input({N}, [=](Int i, Int, Int) { return ratio(i + 1, N) / 8; }),
          input({N}, [=](Int i, Int, Int) { return ratio(i + 1, N) / 9; })};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {400}}, {"large", {2000}}};
  static inline const std::vector<Int> odd = {37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0])) {}
  void plain() { call(plain_kernel_gemver); }
  void strata() { call(kernel_gemver); }
};

}  // namespace kernel_gemver_benchmark
