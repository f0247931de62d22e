// A(r, q, p) = sum over s of A(r, q, s) C4(s, p), in place.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_doitgen.h"

extern "C" void plain_kernel_doitgen(std::int64_t NQ, std::int64_t NR, std::int64_t NP, double* A,
                                     const double* C4);

namespace kernel_doitgen_benchmark {

using namespace polybench;

inline AllData data(Int NQ, Int NR, Int NP) {
  return {result({NR, NQ, NP}, [=](Int r, Int q, Int p) { return fraction(r * q + p, NP); }),
          input({NP, NP}, [=](Int s, Int p, Int) { return fraction(s * p, NP); })};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {40, 50, 60}},
                                                 {"large", {140, 150, 160}}};
  static inline const std::vector<Int> odd = {5, 13, 37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0], n[1], n[2])) {}
  void plain() { call(plain_kernel_doitgen); }
  void strata() { call(kernel_doitgen); }
};

}  // namespace kernel_doitgen_benchmark
