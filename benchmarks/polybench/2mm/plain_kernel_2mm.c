#include <stdint.h>

void plain_kernel_2mm(int64_t NI, int64_t NJ, int64_t NK, int64_t NL, const double* alpha,
                      const double* beta, double tmp[restrict NI][NJ],
                      const double A[restrict NI][NK], const double B[restrict NK][NJ],
                      const double C[restrict NJ][NL], double D[restrict NI][NL]) {
#pragma scop
  for (int64_t i = 0; i < NI; ++i)
    for (int64_t j = 0; j < NJ; ++j) {
      tmp[i][j] = 0;
      for (int64_t k = 0; k < NK; ++k) tmp[i][j] += *alpha * A[i][k] * B[k][j];
    }
  for (int64_t i = 0; i < NI; ++i)
    for (int64_t l = 0; l < NL; ++l) {
      D[i][l] *= *beta;
      for (int64_t j = 0; j < NJ; ++j) D[i][l] += tmp[i][j] * C[j][l];
    }
#pragma endscop
}
