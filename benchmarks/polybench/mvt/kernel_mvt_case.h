// x1 = x1 + A y1 and x2 = x2 + A^T y2.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_mvt.h"

extern "C" void plain_kernel_mvt(std::int64_t N, double* x1, double* x2, const double* y1,
                                 const double* y2, const double* A);

namespace kernel_mvt_benchmark {

using namespace polybench;

inline AllData data(Int N) {
  return {result({N}, [=](Int i, Int, Int) { return fraction(i, N); }),
          result({N}, [=](Int i, Int, Int) { return fraction(i + 1, N); }),
          input({N}, [=](Int i, Int, Int) { return fraction(i + 3, N); }),
          input({N}, [=](Int i, Int, Int) { return fraction(i + 4, N); }),
          input({N, N}, [=](Int i, Int j, Int) { return fraction(i * j, N); })};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {400}}, {"large", {2000}}};
  static inline const std::vector<Int> odd = {37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0])) {}
  void plain() { call(plain_kernel_mvt); }
  void strata() { call(kernel_mvt); }
};

}  // namespace kernel_mvt_benchmark
