/* Three loops, ordered so that the innermost one runs along memory. */
#include "examples/matmul/plain_matmul.h"

#ifdef __clang__
const char plain_matmul_compiler[] = "clang -O3";
#else
const char plain_matmul_compiler[] = "gcc -O3";
#endif

void plain_matmul(int64_t n, int64_t m, int64_t k, const float* restrict a, const float* restrict b,
                  float* restrict c) {
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < m; ++j) c[i * m + j] = 0;
    for (int64_t p = 0; p < k; ++p)
      for (int64_t j = 0; j < m; ++j) c[i * m + j] += a[i * k + p] * b[p * m + j];
  }
}
