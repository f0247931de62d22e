#include <stdint.h>

void plain_kernel_doitgen(int64_t NQ, int64_t NR, int64_t NP, double A[restrict NR][NQ][NP],
                          const double C4[restrict NP][NP]) {
  double row[NP];
#pragma scop
  for (int64_t r = 0; r < NR; ++r)
    for (int64_t q = 0; q < NQ; ++q) {
      for (int64_t p = 0; p < NP; ++p) {
        row[p] = 0;
        for (int64_t s = 0; s < NP; ++s) row[p] += A[r][q][s] * C4[s][p];
      }
      for (int64_t p = 0; p < NP; ++p) A[r][q][p] = row[p];
    }
#pragma endscop
}
