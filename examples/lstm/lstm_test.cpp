// The kernel on small and odd sizes, compared with double precision.
#include <cstdio>

#include "examples/lstm/lstm_case.h"

int main() {
  int failed = 0;
  for (const int threads : {1, 2}) {
    strata_set_number_of_threads(threads);
    for (const std::int64_t steps : {0, 1, 2, 9})
      for (const std::int64_t cells : {1, 7, 16, 33})
        for (const std::int64_t inputs : {1, 5, 40}) {
          lstm_example::Layer layer(steps, cells, inputs);
          layer.run();
          const double error = layer.largest_error();
          if (error < 1e-5) continue;
          std::printf("T = %ld, H = %ld, D = %ld, %d threads: wrong by %g\n", long(steps),
                      long(cells), long(inputs), threads, error);
          ++failed;
        }
  }
  std::printf("%d failures\n", failed);
  return failed == 0 ? 0 : 1;
}
