// histogram_demo: the histogram of an image, and the speed of computing it.
#include <cstdio>
#include <exception>

#include "examples/common/timing.h"
#include "examples/histogram/histogram_case.h"

using namespace histogram_example;

int main() try {
  constexpr int rounds = 9;
  constexpr std::int64_t rows = 4000, columns = 4000;
  strata::Array<std::uint8_t> image = some_image(rows, columns);
  strata::Array<std::int32_t> plain({256}), one({256}), two({256});
  const auto seconds = examples::interleaved_medians(
      rounds, {[&] { by_hand(image, plain); }, [&] { by_kernel(1, image, one); },
               [&] { by_kernel(2, image, two); }});
  const bool right = same(plain, one) && same(plain, two);
  std::printf(
      "%ld x %ld pixels, median of %d: plain C %.1f ms, Strata %.1f ms on 1 thread "
      "(%.2f x), %.1f ms on 2 threads (%.2f x)\n",
      long(rows), long(columns), rounds, seconds[0] * 1e3, seconds[1] * 1e3,
      seconds[0] / seconds[1], seconds[2] * 1e3, seconds[0] / seconds[2]);
  std::printf("histogram: the counts are %s\n", right ? "equal" : "NOT equal");
  return right ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
