// Heat conduction by alternating-direction implicit steps.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_adi.h"

extern "C" void plain_kernel_adi(std::int64_t T, std::int64_t N, double* u, double* v, double* p,
                                 double* q);

namespace kernel_adi_benchmark {

using namespace polybench;

inline AllData data(Int N) {
  return {result({N, N}, [=](Int i, Int j, Int) { return ratio(i + N - j, N); }), scratch({N, N}),
          scratch({N, N}), scratch({N, N})};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {100, 200}}, {"large", {500, 1000}}};
  static inline const std::vector<Int> odd = {7, 37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[1])) {}
  void plain() { call(plain_kernel_adi); }
  void strata() { call(kernel_adi); }
};

}  // namespace kernel_adi_benchmark
