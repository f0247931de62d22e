// Every kernel compared with plain C, on small odd sizes, on one and two threads.
#include "benchmarks/polybench/2mm/kernel_2mm_case.h"
#include "benchmarks/polybench/3mm/kernel_3mm_case.h"
#include "benchmarks/polybench/adi/kernel_adi_case.h"
#include "benchmarks/polybench/atax/kernel_atax_case.h"
#include "benchmarks/polybench/bicg/kernel_bicg_case.h"
#include "benchmarks/polybench/cholesky/kernel_cholesky_case.h"
#include "benchmarks/polybench/correlation/kernel_correlation_case.h"
#include "benchmarks/polybench/covariance/kernel_covariance_case.h"
#include "benchmarks/polybench/deriche/kernel_deriche_case.h"
#include "benchmarks/polybench/doitgen/kernel_doitgen_case.h"
#include "benchmarks/polybench/durbin/kernel_durbin_case.h"
#include "benchmarks/polybench/fdtd-2d/kernel_fdtd_2d_case.h"
#include "benchmarks/polybench/floyd-warshall/kernel_floyd_warshall_case.h"
#include "benchmarks/polybench/gemm/kernel_gemm_case.h"
#include "benchmarks/polybench/gemver/kernel_gemver_case.h"
#include "benchmarks/polybench/gesummv/kernel_gesummv_case.h"
#include "benchmarks/polybench/gramschmidt/kernel_gramschmidt_case.h"
#include "benchmarks/polybench/heat-3d/kernel_heat_3d_case.h"
#include "benchmarks/polybench/jacobi-1d/kernel_jacobi_1d_case.h"
#include "benchmarks/polybench/jacobi-2d/kernel_jacobi_2d_case.h"
#include "benchmarks/polybench/lu/kernel_lu_case.h"
#include "benchmarks/polybench/ludcmp/kernel_ludcmp_case.h"
#include "benchmarks/polybench/mvt/kernel_mvt_case.h"
#include "benchmarks/polybench/nussinov/kernel_nussinov_case.h"
#include "benchmarks/polybench/seidel-2d/kernel_seidel_2d_case.h"
#include "benchmarks/polybench/symm/kernel_symm_case.h"
#include "benchmarks/polybench/syr2k/kernel_syr2k_case.h"
#include "benchmarks/polybench/syrk/kernel_syrk_case.h"
#include "benchmarks/polybench/trisolv/kernel_trisolv_case.h"
#include "benchmarks/polybench/trmm/kernel_trmm_case.h"

#include <algorithm>
#include <cstdio>

namespace {

int failures = 0;

template <typename Case>
void test(const char* name) {
  Case expected(Case::odd), made(Case::odd);
  expected.start();
  expected.plain();
  for (const int threads : {1, 2}) {
    strata_set_number_of_threads(threads);
    made.start();
    made.strata();
    const double part =
        benchmarks::part_of_tolerance(made.results(), expected.results(), Case::tolerance);
    if (part <= 1) continue;
    std::printf("%s on %d threads: %g times the tolerance\n", name, threads, part);
    ++failures;
  }
}

}  // namespace

int main() try {
  test<kernel_2mm_benchmark::Case>("2mm");
  test<kernel_3mm_benchmark::Case>("3mm");
  test<kernel_adi_benchmark::Case>("adi");
  test<kernel_atax_benchmark::Case>("atax");
  test<kernel_bicg_benchmark::Case>("bicg");
  test<kernel_cholesky_benchmark::Case>("cholesky");
  test<kernel_correlation_benchmark::Case>("correlation");
  test<kernel_covariance_benchmark::Case>("covariance");
  test<kernel_deriche_benchmark::Case>("deriche");
  test<kernel_doitgen_benchmark::Case>("doitgen");
  test<kernel_durbin_benchmark::Case>("durbin");
  test<kernel_fdtd_2d_benchmark::Case>("fdtd-2d");
  test<kernel_floyd_warshall_benchmark::Case>("floyd-warshall");
  test<kernel_gemm_benchmark::Case>("gemm");
  test<kernel_gemver_benchmark::Case>("gemver");
  test<kernel_gesummv_benchmark::Case>("gesummv");
  test<kernel_gramschmidt_benchmark::Case>("gramschmidt");
  test<kernel_heat_3d_benchmark::Case>("heat-3d");
  test<kernel_jacobi_1d_benchmark::Case>("jacobi-1d");
  test<kernel_jacobi_2d_benchmark::Case>("jacobi-2d");
  test<kernel_lu_benchmark::Case>("lu");
  test<kernel_ludcmp_benchmark::Case>("ludcmp");
  test<kernel_mvt_benchmark::Case>("mvt");
  test<kernel_nussinov_benchmark::Case>("nussinov");
  test<kernel_seidel_2d_benchmark::Case>("seidel-2d");
  test<kernel_symm_benchmark::Case>("symm");
  test<kernel_syr2k_benchmark::Case>("syr2k");
  test<kernel_syrk_benchmark::Case>("syrk");
  test<kernel_trisolv_benchmark::Case>("trisolv");
  test<kernel_trmm_benchmark::Case>("trmm");
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
