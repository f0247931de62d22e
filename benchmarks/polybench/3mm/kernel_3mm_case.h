// G = (A B) (C D).
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_3mm.h"

extern "C" void plain_kernel_3mm(std::int64_t NI, std::int64_t NJ, std::int64_t NK, std::int64_t NL,
                                 std::int64_t NM, double* E, const double* A, const double* B,
                                 double* F, const double* C, const double* D, double* G);

namespace kernel_3mm_benchmark {

using namespace polybench;

inline AllData data(Int NI, Int NJ, Int NK, Int NL, Int NM) {
  return {scratch({NI, NJ}),
          input({NI, NK}, [=](Int i, Int k, Int) { return fraction(i * k + 1, NI) / 5; }),
          input({NK, NJ}, [=](Int k, Int j, Int) { return fraction(k * (j + 1) + 2, NJ) / 5; }),
          scratch({NJ, NL}),
          input({NJ, NM}, [=](Int j, Int m, Int) { return fraction(j * (m + 3), NL) / 5; }),
          input({NM, NL}, [=](Int m, Int l, Int) { return fraction(m * (l + 2) + 2, NK) / 5; }),
          output({NI, NL})};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {180, 190, 200, 210, 220}},
                                                 {"large", {800, 900, 1000, 1100, 1200}}};
  static inline const std::vector<Int> odd = {13, 17, 21, 37, 19};

  explicit Case(const std::vector<Int>& n)
      : polybench::Case(n, data(n[0], n[1], n[2], n[3], n[4])) {}
  void plain() { call(plain_kernel_3mm); }
  void strata() { call(kernel_3mm); }
};

}  // namespace kernel_3mm_benchmark
