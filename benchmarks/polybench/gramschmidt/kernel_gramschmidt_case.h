// A = Q R with orthonormal columns of Q, by the modified Gram-Schmidt process.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_gramschmidt.h"

extern "C" void plain_kernel_gramschmidt(std::int64_t M, std::int64_t N, double* A, double* R,
                                         double* Q);

namespace kernel_gramschmidt_benchmark {

using namespace polybench;

// In the suite half of the columns are linearly dependent on the others; a larger diagonal makes
// the first M of them independent. Columns of Q beyond M consist of rounding errors, so Q is not
// compared.
inline double element(Int i, Int j, Int M) {
  return fraction(i * j, M) * 100 + 10 + (i == j ? 1000 : 0);
}

inline AllData data(Int M, Int N) {
  return {result({M, N}, [=](Int i, Int j, Int) { return element(i, j, M); }), output({N, N}),
          unchecked({M, N})};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {200, 240}}, {"large", {1000, 1200}}};
  static inline const std::vector<Int> odd = {37, 21};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0], n[1])) {}
  void plain() { call(plain_kernel_gramschmidt); }
  void strata() { call(kernel_gramschmidt); }
};

}  // namespace kernel_gramschmidt_benchmark
