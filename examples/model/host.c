/* host WEIGHTS: runs the perceptron on two inputs and compares with plain loops. */
#include <stdio.h>
#include <strata/runtime.h>

#include "perceptron.h"

enum { B = 2, I = 8, H = 16, O = 4 };

static float weight(int i, int j) { return (float)((3 * i + 5 * j) % 7 - 3); }

static float expected(const float* x, int o) {
  float y = 0;
  for (int h = 0; h < H; ++h) {
    float s = weight(0, h); /* the bias */
    for (int i = 0; i < I; ++i) s += x[i] * weight(i, h);
    if (s > 0) y += s * weight(h, o);
  }
  return y;
}

int main(int count, char** list) {
  float x[B][I], y[B][O];
  strata_buffer bx, by;
  strata_dimension dx[2], dy[2];
  for (int p = 0; p < B * I; ++p) x[p / I][p % I] = (float)(p % 5 - 2);
  strata_buffer_init(&bx, strata_float(32), x, 2, dx, (const int64_t[]){B, I});
  strata_buffer_init(&by, strata_float(32), y, 2, dy, (const int64_t[]){B, O});
  struct perceptron* const model = count == 2 ? perceptron_open(list[1]) : NULL;
  if (!model || perceptron_main(model, B, strata_argument(&bx), strata_argument(&by)) != 0)
    return fprintf(stderr, "%s\n", strata_last_error()), 1;
  perceptron_close(model);
  for (int p = 0; p < B * O; ++p)
    if (y[p / O][p % O] != expected(x[p / O], p % O)) return fprintf(stderr, "%d differs\n", p), 1;
  return 0;
}
