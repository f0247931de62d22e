// Code shared by the OpenBLAS variants.
#pragma once

#include <cblas.h>

#include "benchmarks/common/process.h"
#include BENCHMARK_CASE

namespace polybench {

// c = beta c + alpha a b, where c has n x m numbers and a has k columns.
inline void product(Int n, Int m, Int k, double alpha, const double* a, const double* b,
                    double beta, double* c) {
  scipy_cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, int(n), int(m), int(k), alpha, a,
                    int(k), b, int(m), beta, c, int(m));
}

// c = alpha a^T a, where a has n x m numbers: the upper triangle, mirrored below the diagonal.
inline void products_of_columns(Int m, Int n, double alpha, const double* a, double* c) {
  scipy_cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, int(m), int(n), alpha, a, int(m), 0, c,
                    int(m));
  for (Int i = 0; i < m; ++i)
    for (Int j = 0; j < i; ++j) c[i * m + j] = c[j * m + i];
}

// The means of the m columns of "data".
inline std::vector<double> means(Int m, Int n, const double* data) {
  std::vector<double> mean(static_cast<std::size_t>(m));
  for (Int i = 0; i < n; ++i)
    for (Int j = 0; j < m; ++j) mean[j] += data[i * m + j];
  for (double& x : mean) x /= double(n);
  return mean;
}

template <void (*run_case)(Case&)>
struct ByOpenBlas {
  BENCHMARK_NAMESPACE::Case& data;
  void run() { run_case(data); }
};

// main() of a variant whose run is the given function.
template <void (*run_case)(Case&)>
int openblas_main(int argc, char** argv) {
  return benchmarks::process<BENCHMARK_NAMESPACE::Case, ByOpenBlas<run_case>>(argc, argv);
}

}  // namespace polybench
