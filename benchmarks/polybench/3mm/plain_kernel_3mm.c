#include <stdint.h>

void plain_kernel_3mm(int64_t NI, int64_t NJ, int64_t NK, int64_t NL, int64_t NM,
                      double E[restrict NI][NJ], const double A[restrict NI][NK],
                      const double B[restrict NK][NJ], double F[restrict NJ][NL],
                      const double C[restrict NJ][NM], const double D[restrict NM][NL],
                      double G[restrict NI][NL]) {
#pragma scop
  for (int64_t i = 0; i < NI; ++i)
    for (int64_t j = 0; j < NJ; ++j) {
      E[i][j] = 0;
      for (int64_t k = 0; k < NK; ++k) E[i][j] += A[i][k] * B[k][j];
    }
  for (int64_t j = 0; j < NJ; ++j)
    for (int64_t l = 0; l < NL; ++l) {
      F[j][l] = 0;
      for (int64_t m = 0; m < NM; ++m) F[j][l] += C[j][m] * D[m][l];
    }
  for (int64_t i = 0; i < NI; ++i)
    for (int64_t l = 0; l < NL; ++l) {
      G[i][l] = 0;
      for (int64_t j = 0; j < NJ; ++j) G[i][l] += E[i][j] * F[j][l];
    }
#pragma endscop
}
