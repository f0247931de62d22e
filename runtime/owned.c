/* Memory that one function of a kernel allocates, and another one may free. */
#include "strata/runtime.h"

/* A function of Halide's runtime. Every kernel that allocates such memory is linked with that
 * runtime. */
__attribute__((weak)) void halide_free(void* context, void* memory);

int strata_free_owned(void* context, void* owner) {
  void** const memory = owner;
  if (*memory) halide_free(context, *memory);
  *memory = NULL;
  return 0;
}
