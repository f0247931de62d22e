// s = A^T r and q = A p.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_bicg.h"

extern "C" void plain_kernel_bicg(std::int64_t M, std::int64_t N, const double* A, double* s,
                                  double* q, const double* p, const double* r);

namespace kernel_bicg_benchmark {

using namespace polybench;

inline AllData data(Int M, Int N) {
  return {input({N, M}, [=](Int i, Int j, Int) { return fraction(i * (j + 1), N); }), output({M}),
          output({N}), input({M}, [=](Int i, Int, Int) { return fraction(i, M); }),
          input({N}, [=](Int i, Int, Int) { return fraction(i, N); })};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {390, 410}}, {"large", {1900, 2100}}};
  static inline const std::vector<Int> odd = {21, 37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0], n[1])) {}
  void plain() { call(plain_kernel_bicg); }
  void strata() { call(kernel_bicg); }
};

}  // namespace kernel_bicg_benchmark
