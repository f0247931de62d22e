// gpu_products_host: the kernels of products_generator.cpp give the product of the matrices, on the
// emulator of CUDA.
#include <strata/buffer.h>

#include <bit>
#include <cmath>
#include <random>
#include <string>

#include "block_bf16.h"
#include "block_f16.h"
#include "block_tf32.h"
#include "tests/gpu/wrong.h"
#include "tile_bf16.h"
#include "tile_bf16_columns.h"
#include "tile_f16.h"
#include "tile_f16_columns.h"
#include "tile_tf32.h"
#include "tile_tf32_columns.h"

namespace {

using strata::Array;
using strata::BFloat16;
using strata::Float16;
using Size = std::int64_t;
using Kernel = int (*)(halide_buffer_t* a, halide_buffer_t* b, halide_buffer_t* c);

// What an operand is in memory: as float32, whose fraction tensor cores round, as BFloat16, or as
// Float16. "bits" are those of a fraction with the one before it: integers of so many are exact.
template <typename T>
struct Kind;
template <>
struct Kind<float> {
  static constexpr int bits = 11, depth = 8;
  static float of(int x) { return float(x); }
};
template <>
struct Kind<BFloat16> {
  static constexpr int bits = 8, depth = 16;
  static BFloat16 of(int x) {
    return {std::uint16_t(std::bit_cast<std::uint32_t>(float(x)) >> 16)};
  }
};
template <>
struct Kind<Float16> {
  static constexpr int bits = 11, depth = 16;
  static Float16 of(int x) {
    if (x == 0) return {};
    const int size = std::abs(x), places = std::bit_width(unsigned(size)) - 1;
    const int fraction = (places > 10 ? size >> (places - 10) : size << (10 - places)) & 1023;
    return {std::uint16_t((x < 0) << 15 | (places + 15) << 10 | fraction)};
  }
};

// To nearest, ties away from zero.
int rounded(int x, int bits) {
  const int unit = 1 << std::max(int(std::bit_width(unsigned(std::abs(x)))) - bits, 0);
  const int size = (std::abs(x) + unit / 2) / unit * unit;
  return x < 0 ? -size : size;
}

struct Sizes {
  Size rows, columns, steps;  // of C; of k, in depths of an instruction
};

// Numbers up to "most_a" and "most_b".
template <typename T>
void check(const std::string& name, Kernel kernel, const Sizes& size, bool by_columns, int most_a,
           int most_b) {
  static std::mt19937 random(1);
  const Size depth = size.steps * Kind<T>::depth;
  const auto draw = [&](int most) { return int(random() % unsigned(2 * most + 1)) - most; };
  Array<int> a({size.rows, depth}), b({depth, size.columns});
  Array<T> a_given({size.rows, depth});
  Array<T> b_given = by_columns ? Array<T>({size.columns, depth}) : Array<T>({depth, size.columns});
  Array<float> c({size.rows, size.columns});
  for (Size i = 0; i < size.rows; ++i)
    for (Size k = 0; k < depth; ++k) a_given(i, k) = Kind<T>::of(a(i, k) = draw(most_a));
  for (Size k = 0; k < depth; ++k)
    for (Size j = 0; j < size.columns; ++j)
      (by_columns ? b_given(j, k) : b_given(k, j)) = Kind<T>::of(b(k, j) = draw(most_b));
  require(kernel(a_given, b_given, c) == 0, name);
  for (Size i = 0; i < size.rows; ++i)
    for (Size j = 0; j < size.columns; ++j) {
      int sum = 0;
      for (Size k = 0; k < depth; ++k)
        sum += rounded(a(i, k), Kind<T>::bits) * rounded(b(k, j), Kind<T>::bits);
      if (c(i, j) != float(sum)) return require(false, name + ": an element of the product");
    }
}

// Small and large numbers on both sides; those of float32 have more bits than are kept.
template <typename T>
void check_all(const std::string& kind, Kernel tile, Kernel tile_columns, Kernel block) {
  const int large = (1 << (Kind<T>::bits + (std::is_same_v<T, float> ? 2 : 0))) - 1;
  for (const auto& [a, b] : {std::pair{large, 7}, {7, large}}) {
    check<T>("tile_" + kind, tile, {64, 16, 3}, false, a, b);
    check<T>("tile_" + kind + "_columns", tile_columns, {64, 16, 3}, true, a, b);
    check<T>("block_" + kind, block, {256, 64, 4}, true, a, b);
  }
}

}  // namespace

int main() {
  check_all<float>("tf32", tile_tf32, tile_tf32_columns, block_tf32);
  check_all<BFloat16>("bf16", tile_bf16, tile_bf16_columns, block_bf16);
  check_all<Float16>("f16", tile_f16, tile_f16_columns, block_f16);
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
