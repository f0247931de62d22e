/* Calls the kernel of the mended listing and compares it with a plain loop. */
#include <math.h>
#include <stdio.h>
#include <strata/runtime.h>

#include "func.h"

enum { N = 100, M = 200, C = 3 };
static float in[N][M][C], out[N - 2][M - 2][C];

static float bx(int i, int j, int c) {
  return (in[i][j][c] + in[i][j + 1][c] + in[i][j + 2][c]) / 3;
}

int main(void) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j)
      for (int c = 0; c < C; ++c) in[i][j][c] = (float)((i * 7 + j * 13 + c * 29) % 101);
  strata_dimension of_in[3], of_out[3];
  strata_buffer a, b;
  strata_buffer_init(&a, strata_float(32), in, 3, of_in, (int64_t[]){N, M, C});
  strata_buffer_init(&b, strata_float(32), out, 3, of_out, (int64_t[]){N - 2, M - 2, C});
  if (test(strata_argument(&a), strata_argument(&b)) != 0) return puts(strata_last_error()), 1;
  for (int i = 0; i < N - 2; ++i)
    for (int j = 0; j < M - 2; ++j)
      for (int c = 0; c < C; ++c) {
        const float expected = (bx(i, j, c) + bx(i + 1, j, c) + bx(i + 2, j, c)) / 3;
        if (fabsf(out[i][j][c] - expected) > 1e-5f * expected) return puts("differs"), 1;
      }
  return puts("equal"), 0;
}
