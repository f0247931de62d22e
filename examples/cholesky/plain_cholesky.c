#include "examples/cholesky/plain_cholesky.h"

#include <math.h>

void plain_cholesky(int64_t n, double* a) {
  for (int64_t k = 0; k < n; ++k) {
    a[k * n + k] = sqrt(a[k * n + k]);
    for (int64_t j = k + 1; j < n; ++j) a[k * n + j] /= a[k * n + k];
    for (int64_t i = k + 1; i < n; ++i)
      for (int64_t j = i; j < n; ++j) a[i * n + j] -= a[k * n + i] * a[k * n + j];
  }
}
