// gpu_memory_host: calls the kernels of memory_generator.cpp on the GPU at hand and compares with
// plain loops. Prints what is wrong; exit status 1 if anything is.
#include <strata/buffer.h>
#include <strata/runtime.h>

#include <cstdio>
#include <string>

#include "ahead.h"
#include "blur.h"
#include "bytes_16.h"
#include "bytes_2.h"
#include "bytes_4.h"
#include "bytes_8.h"
#include "cross.h"
#include "halo_1.h"
#include "halo_3.h"
#include "packed.h"
#include "padded.h"
#include "product.h"
#include "rotated.h"
#include "spread.h"
#include "sums.h"
#include "tests/gpu/wrong.h"
#include "transposed.h"
#include "turns.h"
#include "wide.h"

namespace {

using strata::Array;
using Size = std::int64_t;

template <typename Kernel>
void test_blur(Kernel kernel, const std::string& name, Size n, Size m) {
  const std::string what = name + " " + std::to_string(n) + " x " + std::to_string(m);
  const Size rows = n < 2 ? 0 : n - 2, columns = m < 2 ? 0 : m - 2;
  Array<float> in({3, n, m}), out({3, rows, columns});
  for (Size c = 0; c < 3; ++c)
    for (Size i = 0; i < n; ++i)
      for (Size j = 0; j < m; ++j) in(c, i, j) = float((c * 17 + i * 31 + j * j * 7) % 251);
  require(kernel(n, m, in, out) == 0, what);
  const auto x = [&](Size c, Size i, Size j) {
    return (in(c, i, j) + in(c, i, j + 1) + in(c, i, j + 2)) / 3;
  };
  for (Size c = 0; c < 3; ++c)
    for (Size i = 0; i < rows; ++i)
      for (Size j = 0; j < columns; ++j) {
        const float right = (x(c, i, j) + x(c, i + 1, j) + x(c, i + 2, j)) / 3;
        const float apart = out(c, i, j) - right;
        if (apart > 1e-3f || apart < -1e-3f) return require(false, what + ": values");
      }
}

void test_sums(Size n, Size m) {
  const std::string what = "sums " + std::to_string(n) + " x " + std::to_string(m);
  Array<std::int32_t> in({n, m}), out({n});
  for (Size i = 0; i < n; ++i)
    for (Size k = 0; k < m; ++k) in(i, k) = std::int32_t(i * 1000 + k * k);
  require(sums(n, m, in, out) == 0, what);
  for (Size i = 0; i < n; ++i) {
    std::int32_t sum = 0;
    for (Size k = 0; k < m; ++k) sum += in(i, k);
    if (out(i) != 2 * sum) return require(false, what + ": values");
  }
}

template <typename Kernel>
void test_halo(Kernel kernel, const std::string& name, Size R, Size n, Size m) {
  const std::string what = name + " " + std::to_string(n) + " x " + std::to_string(m);
  Array<std::int32_t> in({n, m}), out({n, m});
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < m; ++j) in(i, j) = std::int32_t(i * 1000 + j * j);
  require(kernel(n, m, in, out) == 0, what);
  const auto near = [](Size at, Size end) { return at < 0 ? 0 : at >= end ? end - 1 : at; };
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < m; ++j) {
      std::int32_t sum = 0;
      for (Size a = -R; a <= R; ++a)
        for (Size b = -R; b <= R; ++b)
          sum += std::int32_t(3 * a + b) * in(near(i + a, n), near(j + b, m));
      if (out(i, j) != sum) return require(false, what + ": values");
    }
}

void test_cross(Size n, Size m) {
  const std::string what = "cross " + std::to_string(n) + " x " + std::to_string(m);
  Array<std::int32_t> in({n, m}), out({n, m});
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < m; ++j) in(i, j) = std::int32_t(i * 1000 + j * j), out(i, j) = -1;
  require(cross(n, m, in, out) == 0, what);
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < m; ++j) {
      const bool inside = 0 < i && i < n - 1 && 0 < j && j < m - 1;
      const std::int32_t sum = inside ? in(i, j) + 2 * in(i - 1, j) + 3 * in(i + 1, j) +
                                            5 * in(i, j - 1) + 7 * in(i, j + 1)
                                      : -1;
      if (out(i, j) != sum) return require(false, what + ": values");
    }
}

template <typename Kernel>
void test_transposed(Kernel kernel, const std::string& name, Size n, Size m) {
  const std::string what = name + " " + std::to_string(n) + " x " + std::to_string(m);
  Array<std::int32_t> in({m, n}), out({n, m});
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < m; ++j) in(j, i) = std::int32_t(i * 1000 + j);
  require(kernel(n, m, in, out) == 0, what);
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < m; ++j)
      if (out(i, j) != in(j, i) + 1) return require(false, what + ": values");
}

template <typename Kernel>
void test_product(Kernel kernel, const std::string& name, Size n, Size m, Size depth) {
  const std::string what =
      name + " " + std::to_string(n) + " x " + std::to_string(m) + " x " + std::to_string(depth);
  Array<std::int32_t> a({n, depth}), b({depth, m}), c({n, m});
  for (Size i = 0; i < n; ++i)
    for (Size k = 0; k < depth; ++k) a(i, k) = std::int32_t(i * 7 + k * k % 31);
  for (Size k = 0; k < depth; ++k)
    for (Size j = 0; j < m; ++j) b(k, j) = std::int32_t(j * 5 - k * 3);
  require(kernel(n, m, depth, a, b, c) == 0, what);
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < m; ++j) {
      std::int32_t sum = 0;
      for (Size k = 0; k < depth; ++k) sum += a(i, k) * b(k, j);
      if (c(i, j) != sum) return require(false, what + ": values");
    }
}

template <typename T, typename Kernel>
void test_bytes(Kernel kernel, const std::string& name, Size n, Size m) {
  const std::string what = name + " " + std::to_string(n) + " x " + std::to_string(m);
  Array<T> in({m, n}), out({n, m});
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < m; ++j) in(j, i) = T(i * 1000 + j);
  require(kernel(n, m, in, out) == 0, what);
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < m; ++j)
      if (out(i, j) != in(j, i)) return require(false, what + ": values");
}

void test_all() {
  for (const auto& [n, m] :
       {std::pair<Size, Size>{41, 59}, {1, 1}, {16, 16}, {2, 3}, {0, 4}, {4, 0}, {33, 2}}) {
    test_halo(halo_1, "halo_1", 1, n, m);
    test_halo(halo_3, "halo_3", 3, n, m);
    test_halo(wide, "wide", 2, n, m);
    test_transposed(transposed, "transposed", n, m);
    test_transposed(padded, "padded", n, m);
    test_transposed(rotated, "rotated", n, m);
    test_transposed(packed, "packed", n, m);
    test_cross(n, m);
    for (const Size depth : {0, 1, 8, 19, 40}) {
      test_product(product, "product", n, m, depth);
      test_product(turns, "turns", n, m, depth);
      test_product(ahead, "ahead", n, m, depth);
      test_product(spread, "spread", n, m, depth);
    }
  }
  for (const auto& [n, m] : {std::pair<Size, Size>{16, 64}, {48, 32}, {0, 16}, {32, 0}}) {
    test_bytes<std::int32_t>(bytes_16, "bytes_16", n, m);
    test_bytes<std::int16_t>(bytes_8, "bytes_8", n, m);
    test_bytes<std::uint8_t>(bytes_4, "bytes_4", n, m);
    test_bytes<std::uint8_t>(bytes_2, "bytes_2", n, m);
  }
  for (const auto& [n, m] :
       {std::pair<Size, Size>{43, 61}, {3, 3}, {2, 9}, {9, 1}, {34, 34}, {5, 70}}) {
    test_blur(blur, "blur", n, m);
    test_sums(n, m);
  }
}

}  // namespace

int main() {
  test_all();
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
