// The kernel for 1024 points, and kernels of other sizes with and without their schedule, compared
// with the definition in double precision; plain C too.
#include <cstdio>
#include <functional>

#include "examples/fft/fft_algorithm.h"
#include "examples/fft/fft_case.h"

using fft_example::Case;

namespace {

int failed = 0;

void test(const char* what, std::int64_t rows, std::int64_t points,
          const std::function<void(Case&)>& run) {
  Case c(rows, points);
  c.by_definition();
  run(c);
  if (c.is_right()) return;
  std::printf("%s, %ld rows of %ld: differs\n", what, long(rows), long(points));
  ++failed;
}

void test_jit(const char* what, std::int64_t points, const examples::Scheduled& kernel) {
  strata::Function function = kernel.function;
  const strata::JitFunction run = function.jit(kernel.arguments);
  for (const std::int64_t rows : {0, 1, 3}) {
    test(what, rows, points, [&](Case& c) {
      if (run({c.rows}, {c.re, c.im, c.cosine, c.sine, c.out_re, c.out_im}) != 0)
        throw std::runtime_error(strata_last_error());
    });
  }
}

}  // namespace

int main() {
  for (const int threads : {1, 2}) {
    strata_set_number_of_threads(threads);
    for (const std::int64_t rows : {0, 1, 2, 5})
      test("the kernel", rows, 1024, [](Case& c) { c.by_kernel(); });
  }
  test("plain C", 2, 1024, [](Case& c) {
    plain_fft(c.rows, c.turn.data(), c.re.data(), c.im.data(), c.out_re.data(), c.out_im.data());
  });
  for (const std::int64_t points : {2, 4, 8, 16, 32, 64, 128, 512, 2048}) {
    test_jit("as written", points, fft_example::Fft(points).with_arguments());
    test_jit("scheduled", points, fft_example::scheduled(points));
  }
  std::printf("%d failures\n", failed);
  return failed == 0 ? 0 : 1;
}
