// The 16-bit floats: exhaustively over their patterns, compared with the format's definition, with
// the hardware's conversions, and at every rounding boundary.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "core/float_bits.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace strata::test::float_bits_test {

#endif

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Kind {
  const char* name;
  int fraction_bits;
  Type type;
  std::uint16_t (*to)(double);
  double (*from)(std::uint16_t);
};

const Kind kinds[] = {{"binary16", 10, f16, to_binary16, from_binary16},
                      {"bfloat16", 7, bf16, to_bfloat16, from_bfloat16}};

// (-1)^s * 2^(e - bias) * 1.f, as the standard defines it.
double by_definition(const Kind& kind, int bits) {
  const int exponent_bits = 15 - kind.fraction_bits, bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = (bits >> kind.fraction_bits) & ((1 << exponent_bits) - 1);
  const double fraction =
      double(bits & ((1 << kind.fraction_bits) - 1)) / double(1 << kind.fraction_bits);
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1)
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * infinity;
  if (exponent == 0) return sign * fraction * std::pow(2.0, 1 - bias);
  return sign * (1 + fraction) * std::pow(2.0, exponent - bias);
}

int infinity_bits(const Kind& kind) { return 0x7fff & ~((1 << kind.fraction_bits) - 1); }

float float_of_bits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

int failures_of_patterns(const Kind& kind) {
  int failures = 0;
  for (int bits = 0; bits < 65536; ++bits) {
    const double expected = by_definition(kind, bits), value = kind.from(std::uint16_t(bits));
    if (std::isnan(expected)) {
      failures += !std::isnan(value) || !std::isnan(kind.from(kind.to(value)));
      continue;
    }
    failures += value != expected || std::signbit(value) != std::signbit(expected) ||
                kind.to(value) != bits || rounded_to(kind.type, value) != expected;
  }
  return failures;
}

// Between neighbours a < b: the midpoint rounds to the even pattern, and values just beyond it
// away.
int failures_between_neighbours(const Kind& kind) {
  int failures = 0;
  for (int bits = 0; bits < infinity_bits(kind); ++bits) {
    const double low = by_definition(kind, bits);
    // Above the largest number comes infinity, in place of the next power of two.
    const double high = bits + 1 == infinity_bits(kind)
                            ? low + (low - by_definition(kind, bits - 1))
                            : by_definition(kind, bits + 1);
    const double middle = (low + high) / 2;
    const int even = bits % 2 == 0 ? bits : bits + 1;
    for (int sign : {0, 0x8000}) {
      const double s = sign ? -1 : 1;
      failures += kind.to(s * middle) != (sign | even);
      failures += kind.to(s * std::nextafter(middle, infinity)) != (sign | (bits + 1));
      failures += kind.to(s * std::nextafter(middle, 0.0)) != (sign | bits);
      failures += kind.to(s * std::nextafter(low, infinity)) != (sign | bits);
      if (bits > 0) failures += kind.to(s * std::nextafter(low, 0.0)) != (sign | bits);
    }
  }
  return failures;
}

#if defined(__x86_64__)
__attribute__((target("f16c"))) int failures_against_hardware() {
  int failures = 0;
  for (int bits = 0; bits < 65536; ++bits) {
    const float expected = _cvtsh_ss(std::uint16_t(bits));
    const double value = from_binary16(std::uint16_t(bits));
    failures += std::isnan(expected) ? !std::isnan(value) : value != double(expected);
  }
  std::mt19937 random(1);
  for (int n = 0; n < 2'000'000; ++n) {
    const float value = float_of_bits(std::uint32_t(random()));
    if (std::isnan(value)) continue;
    failures += to_binary16(value) != _cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT);
  }
  return failures;
}
#endif

}  // namespace

TEST_CASE("every pattern of a 16-bit float has its defined value, and the value its pattern") {
  for (const Kind& kind : kinds) {
    INFO(kind.name);
    CHECK(failures_of_patterns(kind) == 0);
  }
}

TEST_CASE("a double rounds once to a 16-bit float, ties to even") {
  for (const Kind& kind : kinds) {
    INFO(kind.name);
    CHECK(failures_between_neighbours(kind) == 0);
  }
}

TEST_CASE("special values keep their kind and sign") {
  for (const Kind& kind : kinds) {
    INFO(kind.name);
    CHECK(kind.to(0.0) == 0);
    CHECK(kind.to(-0.0) == 0x8000);
    CHECK(kind.to(infinity) == infinity_bits(kind));
    CHECK(kind.to(-infinity) == (0x8000 | infinity_bits(kind)));
    CHECK(kind.to(std::numeric_limits<double>::max()) == infinity_bits(kind));
    CHECK(kind.to(std::numeric_limits<double>::denorm_min()) == 0);
    CHECK(std::isnan(kind.from(kind.to(std::numeric_limits<double>::quiet_NaN()))));
    CHECK(kind.to(std::copysign(std::numeric_limits<double>::quiet_NaN(), -1.0)) >= 0x8000);
  }
}

TEST_CASE("binary16 agrees with the processor's own conversions") {
#if defined(__x86_64__)
  // Every processor with AVX2 has F16C, which clang 14 cannot query by name.
  if (__builtin_cpu_supports("avx2")) CHECK(failures_against_hardware() == 0);
#endif
  CHECK(to_binary16(1.0) == 0x3c00);
  CHECK(to_binary16(65504.0) == 0x7bff);
}

TEST_CASE("bfloat16 is the upper half of a float32") {
  int failures = 0;
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const float value = float_of_bits(bits << 16);
    if (!std::isnan(value)) failures += from_bfloat16(std::uint16_t(bits)) != double(value);
  }
  CHECK(failures == 0);
  CHECK(to_bfloat16(1.0) == 0x3f80);
}

TEST_CASE("an integer rounds once, also where a double does not have it") {
  std::mt19937_64 random(2);
  int failures = 0;
  for (int n = 0; n < 1'000'000; ++n) {
    const std::uint64_t value = random() >> (random() % 64);
    failures += rounded_to(f32, value) != double(float(value));
    failures += rounded_to(f64, value) != double(value);
    failures += rounded_to(f32, std::int64_t(value)) != double(float(std::int64_t(value)));
  }
  CHECK(failures == 0);
  // One above the midpoint of two neighbours: a double rounds it to the midpoint, which is then a
  // tie.
  const std::int64_t step = std::int64_t{1} << 55, tie = 128 * step + step / 2;
  CHECK(rounded_to(bf16, tie) == double(128 * step));
  CHECK(rounded_to(bf16, tie + 1) == double(129 * step));
  CHECK(rounded_to(bf16, -tie - 1) == -double(129 * step));
  CHECK(rounded_to(f16, std::int64_t{65519}) == 65504);
  CHECK(rounded_to(f16, std::int64_t{65520}) == infinity);
}

}  // namespace strata::test::float_bits_test
