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

// No buffer is N x N: each array of scores has the rows of one block. In the printed loops the
// extents of a buffer are [lower : upper, ..].
void test_memory() {
  const auto kernel = attention_example::scheduled();
  const std::string loops = kernel.function.loops(kernel.arguments);
  int of_scores = 0;
  for (std::size_t at = loops.find("allocate "); at != std::string::npos;
       at = loops.find("allocate ", at + 1)) {
    const std::string line = loops.substr(at, loops.find('\n', at) - at);
    if (line.find("[0 : N, 0 : N]") != std::string::npos) {
      std::printf("%s\n", line.c_str());
      ++failed;
    }
    of_scores += line.find("score[") != std::string::npos && line.find(" i0") != std::string::npos;
  }
  if (of_scores == 0) {
    std::printf("no block of scores is allocated\n");
    ++failed;
  }
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
