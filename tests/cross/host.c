/* host VERSION: calls the kernels of generator.cpp and compares with plain loops. VERSION is that
 * of lengths that must run, or 0 if it must be refused, with a message. Exit status 0, or the
 * number of the check that failed. */
#include <strata/runtime.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "lengths.h"
#include "waves.h"

enum { N = 37, M = 91 };

static float angles[N][M], found[N][M];
static uint8_t bytes[N * M];
static int32_t bins[256], values[M][N], sums[N];

static struct halide_buffer_t* described(strata_buffer* b, strata_dimension* d, strata_type type,
                                         void* memory, int64_t rows, int64_t columns) {
  const int64_t extents[2] = {rows, columns};
  strata_buffer_init(b, type, memory, columns ? 2 : 1, d, extents);
  return strata_argument(b);
}

static void fill(void) {
  uint32_t state = 12345;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) {
      state = state * 1664525 + 1013904223;
      angles[i][j] = (float)(state >> 8) / (1 << 20) - 8;
      bytes[i * M + j] = (uint8_t)(state >> 24);
      values[j][i] = (int32_t)(state >> 16) % 1000;
    }
}

static int has_profile(const char* path) {
  char text[4096];
  FILE* file;
  size_t length;
  if (strata_print_profile("waves", path) != 0 || !(file = fopen(path, "r"))) return 0;
  length = fread(text, 1, sizeof text - 1, file);
  text[length] = 0;
  fclose(file);
  return strstr(text, "i: y") != NULL && strstr(text, "(all)") != NULL;
}

static int check_waves(void) {
  strata_buffer x, y;
  strata_dimension dx[2], dy[2];
  described(&x, dx, strata_float(32), angles, N, M);
  described(&y, dy, strata_float(32), found, N, M);
  if (waves(N, M, strata_argument(&x), strata_argument(&y)) != 0) return 1;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) {
      const double wanted = exp(sin((double)angles[i][j]));
      if (fabs(found[i][j] - wanted) > 1e-6 * wanted) return 2;
    }
  if (!has_profile("waves.txt")) return 3;
  described(&y, dy, strata_float(32), found, N, M - 1);
  if (waves(N, M, strata_argument(&x), strata_argument(&y)) != strata_error_out_of_bounds) return 4;
  return strstr(strata_last_error(), "waves: ") == strata_last_error() ? 0 : 5;
}

static int check_counts(void) {
  int32_t wanted[256] = {0};
  strata_buffer x, y;
  strata_dimension dx, dy;
  for (int n = 0; n < N * M; ++n) ++wanted[bytes[n]];
  if (counts(N * M, described(&x, &dx, strata_uint(8), bytes, N * M, 0),
             described(&y, &dy, strata_int(32), bins, 256, 0)) != 0)
    return 11;
  return memcmp(bins, wanted, sizeof bins) == 0 ? 0 : 12;
}

static int check_lengths(int version) {
  strata_buffer x, y;
  strata_dimension dx[2], dy;
  for (int i = 0; i < N; ++i) sums[i] = -1;
  const int code = lengths(N, M, described(&x, dx, strata_int(32), values, M, N),
                           described(&y, &dy, strata_int(32), sums, N, 0));
  if (version == 0) {
    printf("%s\n", strata_last_error());
    return code == strata_error_wrong_cpu && sums[0] == -1 ? 0 : 21;
  }
  if (code != 0) return 22;
  for (int i = 0; i < N; ++i) {
    uint32_t wanted = 0;
    for (int k = 0; k < M; ++k) wanted += (uint32_t)values[k][i] * (uint32_t)values[k][i];
    if ((uint32_t)sums[i] != wanted * (uint32_t)version) return sums[i] == -1 ? 23 : 24;
  }
  return 0;
}

int main(int argc, char** argv) {
  const int version = argc == 2 ? atoi(argv[1]) : -1;
  int failed = 0;
  strata_set_number_of_threads(3);
  fill();
  if (version != 0) failed = check_waves();
  if (version != 0 && !failed) failed = check_counts();
  if (!failed) failed = check_lengths(version);
  if (failed) printf("check %d: %s\n", failed, strata_last_error());
  return failed;
}
