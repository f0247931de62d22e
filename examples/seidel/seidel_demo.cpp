// seidel_demo: prints the refusal without the skew, and the commands and their speed with it.
#include <cstdio>
#include <exception>

#include "examples/common/demo.h"
#include "examples/seidel/seidel_case.h"

namespace {

using namespace seidel_example;

constexpr int rounds = 5;
constexpr std::int64_t sweeps = 10, size = 2000;

bool compare() {
  const strata::Array<float> start = some_grid(size, size);
  strata::Array<float> plain = start, one = start, two = start;
  const std::vector<double> seconds = examples::interleaved_medians(
      rounds, {[&] { by_hand(sweeps, plain); }, [&] { by_kernel(1, sweeps, one); },
               [&] { by_kernel(2, sweeps, two); }});
  const bool same = same_bits(plain, one) && same_bits(plain, two);
  std::printf("\n%ld sweeps over %ld x %ld, median of %d\n", long(sweeps), long(size), long(size),
              rounds);
  std::printf("plain C, %s -march=native %8.1f ms\n", plain_seidel_compiler, seconds[0] * 1e3);
  std::printf("Strata, 1 thread                %8.1f ms   %.1f x as fast\n", seconds[1] * 1e3,
              seconds[0] / seconds[1]);
  std::printf("Strata, 2 threads               %8.1f ms   %.1f x as fast\n", seconds[2] * 1e3,
              seconds[0] / seconds[2]);
  std::printf("seidel: the results are %s\n", same ? "equal bit for bit" : "NOT equal");
  return same;
}

}  // namespace

int main() try {
  std::printf("Running rows in parallel is refused:\n\n");
  examples::print_file(GENERATED "/refusal.txt");
  std::printf("\nTiles along a diagonal may, and so may points along a diagonal of a tile:\n\n");
  examples::print_commands(GENERATED "/seidel.txt");
  return compare() ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
