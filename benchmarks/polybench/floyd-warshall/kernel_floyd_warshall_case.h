// The lengths of shortest paths between all nodes of a graph.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_floyd_warshall.h"

extern "C" void plain_kernel_floyd_warshall(std::int64_t N, double* path);

namespace kernel_floyd_warshall_benchmark {

using namespace polybench;

// 999 means no edge.
inline double length(Int i, Int j) {
  const Int sum = i + j;
  return sum % 13 == 0 || sum % 7 == 0 || sum % 11 == 0 ? 999 : double(i * j % 7 + 1);
}

inline AllData data(Int N) {
  return {result({N, N}, [=](Int i, Int j, Int) { return length(i, j); })};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {500}}, {"large", {2800}}};
  static inline const std::vector<Int> odd = {37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0])) {}
  void plain() { call(plain_kernel_floyd_warshall); }
  void strata() { call(kernel_floyd_warshall); }
};

}  // namespace kernel_floyd_warshall_benchmark
