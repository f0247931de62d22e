/* Memory that one function of a kernel allocates, and another one may free. */
#include "strata/runtime.h"

/* A function of Halide's runtime. Kernels that allocate such memory are linked with it. */
__attribute__((weak)) void halide_free(void* context, void* memory);

int strata_free_owned(void* context, void* owner) {
  void** const memory = owner;
  if (*memory) halide_free(context, *memory);
  *memory = NULL;
  return 0;
}
