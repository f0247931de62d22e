#include <stdint.h>

void plain_kernel_gemm(int64_t NI, int64_t NJ, int64_t NK, const double* alpha, const double* beta,
                       double C[restrict NI][NJ], const double A[restrict NI][NK],
                       const double B[restrict NK][NJ]) {
#pragma scop
  for (int64_t i = 0; i < NI; ++i) {
    for (int64_t j = 0; j < NJ; ++j) C[i][j] *= *beta;
    for (int64_t k = 0; k < NK; ++k)
      for (int64_t j = 0; j < NJ; ++j) C[i][j] += *alpha * A[i][k] * B[k][j];
  }
#pragma endscop
}
