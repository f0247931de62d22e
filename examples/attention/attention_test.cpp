// The kernel on all kinds of sizes, on scores whose exponentials would overflow, and the memory
// that its scores take.
#include <cstdio>

#include "examples/attention/attention_algorithm.h"
#include "examples/attention/attention_case.h"

using attention_example::Case;

namespace {

int failed = 0;

void test(std::int64_t n, std::int64_t d, float sharpness, float tolerance, int threads) {
  Case c(n, d, sharpness);
  strata_set_number_of_threads(threads);
  c.by_kernel();
  c.by_hand();
  if (c.is_right(tolerance)) return;
  std::printf("%ld queries of %ld, up to %g, %d threads: differs\n", long(n), long(d), sharpness,
              threads);
  ++failed;
}

// The lines that allocate a buffer with these words in its extents, [lower : upper, ..].
int allocations(const examples::Scheduled& kernel, const std::string& words) {
  const std::string loops = kernel.function.loops(kernel.arguments);
  int found = 0;
  for (std::size_t at = loops.find("allocate "); at != std::string::npos;
       at = loops.find("allocate ", at + 1))
    found += loops.substr(at, loops.find('\n', at) - at).find(words) != std::string::npos;
  return found;
}

// Without commands three arrays are N x N; with them none is, and scores are of blocks of queries.
void test_memory() {
  const auto scheduled = attention_example::scheduled();
  const bool all =
      allocations(attention_example::Attention().with_arguments(), "[0 : N, 0 : N]") == 3;
  const bool none = allocations(scheduled, "[0 : N, 0 : N]") == 0;
  if (all && none && allocations(scheduled, "i0") > 0) return;
  std::printf("the buffers of the scores are not those of blocks\n");
  ++failed;
}

}  // namespace

int main() {
  for (const int threads : {1, 2}) {
    for (const std::int64_t n : {0, 1, 2, 5, 6, 7, 16, 17, 63, 64, 65, 200})
      for (const std::int64_t d : {1, 2, 15, 16, 17, 64, 70}) test(n, d, 1, 1e-5f, threads);
    test(300, 64, 500, 1e-2f, threads);
  }
  test_memory();
  std::printf("%d failures\n", failed);
  return failed == 0 ? 0 : 1;
}
