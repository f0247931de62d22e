/* Kernels of two shared libraries run on the threads of one pool. */
#include <strata/runtime.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "thrice_each.h"
#include "twice_each.h"

enum { size = 1 << 22, threads = 4 };

typedef int (*kernel)(int64_t, struct halide_buffer_t*, struct halide_buffer_t*);

/* The threads of this process. */
static int tasks(void) {
  int count = 0;
  DIR* const folder = opendir("/proc/self/task");
  while (folder && readdir(folder)) ++count;
  if (folder) closedir(folder);
  return count - 2; /* "." and ".." */
}

static int runs(kernel run, float factor, float* in, float* out) {
  const int64_t extent = size;
  strata_dimension from, to;
  strata_buffer source, target;
  strata_buffer_init(&source, strata_float(32), in, 1, &from, &extent);
  strata_buffer_init(&target, strata_float(32), out, 1, &to, &extent);
  if (run(size, strata_argument(&source), strata_argument(&target)) != 0) {
    fprintf(stderr, "%s\n", strata_last_error());
    return 0;
  }
  for (int i = 0; i < size; ++i)
    if (out[i] != factor * in[i]) return 0;
  return 1;
}

int main(void) {
  float *const in = malloc(size * sizeof(float)), *const out = malloc(size * sizeof(float));
  if (!in || !out) return 1;
  for (int i = 0; i < size; ++i) in[i] = (float)(i % 1000);
  strata_set_number_of_threads(threads);
  if (!runs(twice_each, 2, in, out) || !runs(thrice_each, 3, in, out)) return 1;
  printf("%d threads\n", tasks());
  return tasks() == threads ? 0 : 1;
}
