// Edge detection by a recursive filter along rows, then along columns.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_deriche.h"

extern "C" void plain_kernel_deriche(std::int64_t W, std::int64_t H, const double* alpha,
                                     const double* in, double* out, double* y1, double* y2);

namespace kernel_deriche_benchmark {

using namespace polybench;

inline AllData data(Int W, Int H) {
  return {
      scalar(0.25),
      input({W, H}, [=](Int i, Int j, Int) { return ratio((313 * i + 991 * j) % 65536, 65535); }),
      output({W, H}), scratch({W, H}), scratch({W, H})};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {720, 480}}, {"large", {4096, 2160}}};
  static inline const std::vector<Int> odd = {21, 37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0], n[1])) {}
  void plain() { call(plain_kernel_deriche); }
  void strata() { call(kernel_deriche); }
};

}  // namespace kernel_deriche_benchmark
