// D = beta D + alpha A B C.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_2mm.h"

extern "C" void plain_kernel_2mm(std::int64_t NI, std::int64_t NJ, std::int64_t NK, std::int64_t NL,
                                 const double* alpha, const double* beta, double* tmp,
                                 const double* A, const double* B, const double* C, double* D);

namespace kernel_2mm_benchmark {

using namespace polybench;

inline AllData data(Int NI, Int NJ, Int NK, Int NL) {
  return {scalar(1.5),
          scalar(1.2),
          scratch({NI, NJ}),
          input({NI, NK}, [=](Int i, Int k, Int) { return fraction(i * k + 1, NI); }),
          input({NK, NJ}, [=](Int k, Int j, Int) { return fraction(k * (j + 1), NJ); }),
          input({NJ, NL}, [=](Int j, Int l, Int) { return fraction(j * (l + 3) + 1, NL); }),
          result({NI, NL}, [=](Int i, Int l, Int) { return fraction(i * (l + 2), NK); })};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {180, 190, 210, 220}},
                                                 {"large", {800, 900, 1100, 1200}}};
  static inline const std::vector<Int> odd = {13, 17, 21, 37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0], n[1], n[2], n[3])) {}
  void plain() { call(plain_kernel_2mm); }
  void strata() { call(kernel_2mm); }
};

}  // namespace kernel_2mm_benchmark
