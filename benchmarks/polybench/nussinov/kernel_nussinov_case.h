// The maximum number of base pairs in an RNA sequence: N(i, j) for its part from i to j.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_nussinov.h"

extern "C" void plain_kernel_nussinov(std::int64_t N, const double* seq, double* table);

namespace kernel_nussinov_benchmark {

using namespace polybench;

inline AllData data(Int N) {
  return {input({N}, [=](Int i, Int, Int) { return double((i + 1) % 4); }), output({N, N})};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {500}}, {"large", {2500}}};
  static inline const std::vector<Int> odd = {37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0])) {}
  void plain() { call(plain_kernel_nussinov); }
  void strata() { call(kernel_nussinov); }
};

}  // namespace kernel_nussinov_benchmark
