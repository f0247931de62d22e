// A = L U, in place.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_lu.h"

extern "C" void plain_kernel_lu(std::int64_t N, double* A);

namespace kernel_lu_benchmark {

using namespace polybench;

inline AllData data(Int N) { return {definite_matrix(N)}; }

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {400}}, {"large", {2000}}};
  static inline const std::vector<Int> odd = {37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0])) {}
  void plain() { call(plain_kernel_lu); }
  void strata() { call(kernel_lu); }
};

}  // namespace kernel_lu_benchmark
