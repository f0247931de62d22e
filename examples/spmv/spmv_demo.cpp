// spmv_demo: a sparse matrix times a vector, and its speed.
#include <cstdio>
#include <exception>

#include "examples/common/timing.h"
#include "examples/spmv/spmv_case.h"

int main() try {
  constexpr int rounds = 9;
  constexpr std::int64_t size = 200000, mean = 20;
  spmv_example::Case c(size, size, mean);
  strata::Array<float> plain({size});
  const auto seconds = examples::interleaved_medians(
      rounds, {[&] { c.by_hand(plain); }, [&] { c.by_kernel(1); }, [&] { c.by_kernel(2); }});
  const bool right = c.is_close_to(plain);
  std::printf(
      "%ld rows, %ld entries, median of %d: plain C %.1f ms, Strata %.1f ms on 1 thread "
      "(%.2f x), %.1f ms on 2 threads (%.2f x)\n",
      long(size), long(c.col.extent(0)), rounds, seconds[0] * 1e3, seconds[1] * 1e3,
      seconds[0] / seconds[1], seconds[2] * 1e3, seconds[0] / seconds[2]);
  std::printf("spmv: the results are %s\n", right ? "equal within 1e-4" : "NOT equal");
  return right ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
