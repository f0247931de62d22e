#include "examples/spmv/plain_spmv.h"

void plain_spmv(int64_t n, const int32_t* row, const int32_t* col, const float* val, const float* x,
                float* y) {
  for (int64_t i = 0; i < n; ++i) {
    float sum = 0;
    for (int32_t k = row[i]; k < row[i + 1]; ++k) sum += val[k] * x[col[k]];
    y[i] = sum;
  }
}
