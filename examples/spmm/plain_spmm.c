#include "examples/spmm/plain_spmm.h"

void plain_spmm(int64_t n, int64_t m, const int32_t* row, const int32_t* col, const float* val,
                const float* b, float* restrict c) {
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < m; ++j) c[i * m + j] = 0;
    for (int32_t k = row[i]; k < row[i + 1]; ++k)
      for (int64_t j = 0; j < m; ++j) c[i * m + j] += val[k] * b[col[k] * m + j];
  }
}
