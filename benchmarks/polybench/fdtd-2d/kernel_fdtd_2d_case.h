// Electric and magnetic fields in two dimensions, by finite differences in time.
#pragma once

#include "benchmarks/polybench/common/case.h"
#include "kernel_fdtd_2d.h"

extern "C" void plain_kernel_fdtd_2d(std::int64_t T, std::int64_t NX, std::int64_t NY, double* EX,
                                     double* EY, double* HZ, const double* source);

namespace kernel_fdtd_2d_benchmark {

using namespace polybench;

inline AllData data(Int T, Int NX, Int NY) {
  return {result({NX, NY}, [=](Int i, Int j, Int) { return ratio(i * (j + 1), NX); }),
          result({NX, NY}, [=](Int i, Int j, Int) { return ratio(i * (j + 2), NY); }),
          result({NX, NY}, [=](Int i, Int j, Int) { return ratio(i * (j + 3), NX); }),
          input({T}, [=](Int t, Int, Int) { return double(t); })};
}

struct Case : polybench::Case {
  static inline const benchmarks::Sizes sizes = {{"medium", {100, 200, 240}},
                                                 {"large", {500, 1000, 1200}}};
  static inline const std::vector<Int> odd = {7, 21, 37};

  explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0], n[1], n[2])) {}
  void plain() { call(plain_kernel_fdtd_2d); }
  void strata() { call(kernel_fdtd_2d); }
};

}  // namespace kernel_fdtd_2d_benchmark
