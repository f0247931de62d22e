// cases_host: calls the kernels of cases_generator.cpp on the GPU at hand and compares with plain
// loops. Prints what is wrong; exit status 1 if anything is.
#include <strata/buffer.h>

#include <algorithm>

#include "product_128.h"
#include "tests/gpu/wrong.h"
#include "time_steps.h"
#include "transpose_128.h"

namespace {

using strata::Array;
using Size = std::int64_t;
using Ints = Array<std::int32_t>;

void test_transpose() {
  Ints in({128, 256}), out({256, 128});
  for (Size i = 0; i < 128; ++i)
    for (Size j = 0; j < 256; ++j) in(i, j) = std::int32_t(i * 1000 + j);
  require(transpose_128(in, out) == 0, "transpose_128");
  for (Size i = 0; i < 128; ++i)
    for (Size j = 0; j < 256; ++j)
      if (out(j, i) != i * 1000 + j) return require(false, "transpose_128: values");
}

// Whole numbers, whose sums are exact in any order.
void test_product() {
  Array<float> a({128, 128}), b({128, 128}), c({128, 128});
  for (Size i = 0; i < 128; ++i)
    for (Size j = 0; j < 128; ++j)
      a(i, j) = float((i * 7 + j * j) % 31), b(i, j) = float((i * i + 5 * j) % 17 - 8);
  require(product_128(a, b, c) == 0, "product_128");
  for (Size i = 0; i < 128; ++i)
    for (Size j = 0; j < 128; ++j) {
      float sum = 0;
      for (Size k = 0; k < 128; ++k) sum += a(i, k) * b(k, j);
      if (c(i, j) != sum) return require(false, "product_128: values");
    }
}

void test_time_steps(Size steps, Size n) {
  const std::string name = named("time_steps", steps, n);
  Ints in({steps, n}), out({steps, n});
  for (std::int32_t& x : in) x = std::int32_t(&x - in.data()) % 23;
  require(time_steps(steps, n, in, out) == 0, name);
  for (Size t = 0; t < steps; ++t)
    for (Size i = 0; i < n; ++i) {
      const auto s = [&](Size j) { return 3 * (in(t, j / 2) + 1) + j; };
      if (out(t, i) != s(2 * n - 1 - 2 * i) - s(i) + 7 * std::min(i, t))
        return require(false, name + ": values");
    }
}

}  // namespace

int main() {
  test_transpose();
  test_product();
  for (const Size steps : {0, 1, 2, 13})
    for (const Size n : {0, 1, 8, 41}) test_time_steps(steps, n);
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
