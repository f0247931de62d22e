/* The threads that run parallel loops. */
#include <strata/runtime.h>

int halide_set_num_threads(int number);
int halide_get_num_threads(void);

int strata_set_number_of_threads(int number) {
  return halide_set_num_threads(number < 0 ? 0 : number);
}

int strata_number_of_threads(void) { return halide_get_num_threads(); }
