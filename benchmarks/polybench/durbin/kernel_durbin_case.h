// Solves the Yule-Walker equations of a symmetric Toeplitz matrix.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_durbin.h"

extern "C" void plain_kernel_durbin(std::int64_t N, const double* r, double* y);

namespace kernel_durbin_benchmark {

using namespace polybench;

inline AllData data(Int N) {
  return {input({N}, [=](Int i, Int, Int) { return double(N + 1 - i); }), output({N})};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {400}}, {"large", {2000}}};
  static inline const std::vector<Int> odd = {37};
  static constexpr double tolerance = 1e-8;

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0])) {}
  void plain() { call(plain_kernel_durbin); }
  void strata() { call(kernel_durbin); }
};

}  // namespace kernel_durbin_benchmark
