#include <stdint.h>

void plain_kernel_floyd_warshall(int64_t N, double path[restrict N][N]) {
#pragma scop
  for (int64_t k = 0; k < N; ++k)
    for (int64_t i = 0; i < N; ++i)
      for (int64_t j = 0; j < N; ++j)
        path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
#pragma endscop
}
