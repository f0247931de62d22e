// matmul_demo: the speed of the kernel at several sizes, compared with plain C.
#include <algorithm>
#include <cstdio>
#include <exception>

#include "examples/common/demo.h"
#include "examples/matmul/matmul_case.h"
#include "examples/matmul/plain_matmul.h"

namespace {

constexpr int rounds = 7;

// Calls that are too short for the clock and for waking a thread are timed together.
int calls_together(std::int64_t n) { return int(std::clamp(1e9 / double(n * n * n), 1.0, 1e4)); }

bool compare(std::int64_t n) {
  matmul_example::Case product(n, n, n);
  strata::Array<float> by_hand({n, n});
  const int calls = calls_together(n);
  const auto plain = [&] {
    for (int call = 0; call < calls; ++call)
      plain_matmul(n, n, n, product.a.data(), product.b.data(), by_hand.data());
  };
  const auto ours = [&](int threads) {
    return [&product, calls, threads] {
      strata_set_number_of_threads(threads);
      for (int call = 0; call < calls; ++call) product.run();
    };
  };
  const std::vector<double> seconds =
      examples::interleaved_medians(rounds, {plain, ours(1), ours(2)});
  const double part = product.largest_fraction_of_bound();
  const double work = 2e-9 * calls * double(n) * double(n) * double(n);
  std::printf("%6ld %12.1f %12.1f %12.1f %8.2f x %8.2f x %16.2g\n", long(n), work / seconds[0],
              work / seconds[1], work / seconds[2], seconds[0] / seconds[1],
              seconds[0] / seconds[2], part);
  return part <= 1;
}

}  // namespace

int main() try {
  examples::print_file(SCHEDULE_TEXT);
  std::printf("\nbillions of operations per second, median of %d; plain C is %s\n", rounds,
              plain_matmul_compiler);
  std::printf("%6s %12s %12s %12s %10s %10s %16s\n", "size", "plain C", "1 thread", "2 threads",
              "ratio 1", "ratio 2", "error / bound");
  bool good = true;
  for (const std::int64_t n : {1, 7, 33, 256, 512, 1000, 1024}) good = compare(n) && good;
  return good ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
