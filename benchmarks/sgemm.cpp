// sgemm_benchmark: the matrix product of examples/matmul beside OpenBLAS, size by size, on one thread:
// idle threads of OpenBLAS spin, so with more of them two libraries in one process disturb each other.
#include <cblas.h>

#include <cstdio>
#include <cstdlib>
#include <functional>

#include "examples/common/timing.h"
#include "examples/matmul/matmul_case.h"

extern "C" void openblas_set_num_threads(int threads);

namespace {

void by_openblas(matmul_example::Case& product) {
  const int n = int(product.n), m = int(product.m), k = int(product.k);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, m, k, 1.0f, product.a.data(), k,
              product.b.data(), m, 0.0f, product.c.data(), m);
}

// Many calls of a small product are one sample, so that samples take about as long.
void compare(std::int64_t size) {
  matmul_example::Case ours(size, size, size), theirs(size, size, size);
  const double operations = 2.0 * double(size) * double(size) * double(size);
  const int calls = int(std::max(1.0, 4e8 / operations));
  const auto repeated = [calls](const std::function<void()>& product) {
    return [=] {
      for (int n = 0; n < calls; ++n) product();
    };
  };
  const auto seconds = examples::interleaved_medians(
      21, {repeated([&] { by_openblas(theirs); }), repeated([&] { ours.run(); })});
  const double unit = 1e-9 * operations * calls;
  std::printf("%5ld  OpenBLAS %6.1f GFLOP/s  Strata %6.1f GFLOP/s  %.2f x  error %s\n", long(size),
              unit / seconds[0], unit / seconds[1], seconds[0] / seconds[1],
              ours.largest_part_of_bound() <= 1 ? "within its bound" : "TOO LARGE");
}

}  // namespace

int main() {
  if (!std::getenv("OPENBLAS_CORETYPE"))
    std::printf("note: without OPENBLAS_CORETYPE, OpenBLAS may take slower kernels than it has\n");
  openblas_set_num_threads(1);
  strata_set_number_of_threads(1);
  for (const std::int64_t size : {64, 256, 512, 1000, 1024, 1060}) compare(size);
}
