// Casts between any two types, on edge values.
#include <catch2/catch.hpp>

#include <limits>

#include "core/float_bits.h"
#include "tests/unit/halide/operators.h"

namespace strata::test::cast_test {

namespace {

// A long double represents every number of every type except the 16-bit floats.
template <typename T>
long double number(T x) {
  if constexpr (std::same_as<T, Float16>)
    return from_binary16(x.bits);
  else if constexpr (std::same_as<T, BFloat16>)
    return from_bfloat16(x.bits);
  else
    return x;
}

// Rounds a long double once, to a format of p bits: halves are compared exactly.
std::uint16_t nearest(long double x, bool brain) {
  const auto value = [&](int bits) -> long double {
    return brain ? from_bfloat16(bits) : from_binary16(bits);
  };
  const int infinity = brain ? 0x7f80 : 0x7c00, sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isnan(x)) return infinity | 0x40 | 0x200;
  x = std::fabs(x);
  int low = 0, high = infinity;
  while (high - low > 1) (value((low + high) / 2) <= x ? low : high) = (low + high) / 2;
  if (x == value(infinity)) return sign | infinity;
  const long double above = high == infinity ? 2 * value(low) - value(low - 1) : value(high);
  const long double to_low = x - value(low), to_high = above - x;
  const bool up = to_high < to_low || (to_high == to_low && low % 2 == 1);
  return sign | (up ? high : low);
}

template <typename To, typename From>
To expected(From from) {
  const long double x = number(from);
  if constexpr (std::same_as<To, bool>)
    return x != 0;
  else if constexpr (std::same_as<To, Float16>)
    return {nearest(x, false)};
  else if constexpr (std::same_as<To, BFloat16>)
    return {nearest(x, true)};
  else if constexpr (std::floating_point<To>)
    return static_cast<To>(x);
  else if constexpr (std::integral<From>)
    return static_cast<To>(from);
  else {
    if (std::isnan(x)) return 0;
    const long double whole = std::trunc(x);
    if (whole >= std::ldexp(1.0L, std::numeric_limits<To>::digits))
      return std::numeric_limits<To>::max();
    if (whole < static_cast<long double>(std::numeric_limits<To>::min()))
      return std::numeric_limits<To>::min();
    return static_cast<To>(whole);
  }
}

template <typename To>
bool equal(To a, To b) {
  if constexpr (std::same_as<To, Float16> || std::same_as<To, BFloat16>)
    return a == b || (std::isnan(number(a)) && std::isnan(number(b)));
  else
    return identical(a, b);
}

template <typename From>
Array<From> values() {
  Array<From> x({1024});
  std::mt19937_64 g(11);
  for (auto& e : x) {
    if constexpr (std::same_as<From, bool>)
      e = g() & 1;
    else if constexpr (std::same_as<From, float>)
      e = std::bit_cast<float>(std::uint32_t(g()));
    else if constexpr (std::same_as<From, double>)
      e = g() % 2 ? std::bit_cast<double>(g())
                  : std::bit_cast<double>((g() % 150 + 960) << 52 | g() >> 12);
    else if constexpr (std::integral<From>)
      e = static_cast<From>(g() >> (g() % 64));
    else
      e = From{static_cast<std::uint16_t>(g())};
  }
  std::int64_t i = 0;
  if constexpr (std::integral<From> && !std::same_as<From, bool>) {
    using L = std::numeric_limits<From>;
    for (const From e : {From(0), From(1), From(-1), L::min(), L::max(), From(L::max() - 1),
                         From(L::max() / 2 + 1), From(L::min() / 2 - 1), From(1 << 11 | 1)})
      x(i++) = e;
    for (int s = 0; s + 3 < L::digits; ++s) {  // just off the midpoint of two floats
      x(i++) = From((From(3) << s) + 1);
      x(i++) = From((From(5) << s) - 1);
      x(i++) = From((From(0x201) << (s % 50)) + (s % 3) - 1);
    }
  }
  if constexpr (std::floating_point<From>) {
    for (const double e : std::initializer_list<double>{0.0,
                                                        -0.0,
                                                        0.5,
                                                        -0.5,
                                                        0.99,
                                                        -0.99,
                                                        1.0,
                                                        127.5,
                                                        128.0,
                                                        -128.5,
                                                        -129.0,
                                                        255.9,
                                                        256.0,
                                                        32767.9,
                                                        -32768.9,
                                                        65504.0,
                                                        65519.999,
                                                        65520.0,
                                                        65535.9,
                                                        2147483647.0,
                                                        2147483648.0,
                                                        -2147483648.0,
                                                        -2147483649.0,
                                                        4294967295.5,
                                                        4294967296.0,
                                                        9.2233720368547748e18,
                                                        9.2233720368547758e18,
                                                        -9.2233720368547758e18,
                                                        1.8446744073709550e19,
                                                        1.8446744073709552e19,
                                                        1e300,
                                                        -1e300,
                                                        double(INFINITY),
                                                        -double(INFINITY),
                                                        double(NAN),
                                                        1e-8,
                                                        5.9604644775390625e-8,
                                                        2.98023223876953125e-8,
                                                        2.9802322387695316e-8,
                                                        1.00048828125,
                                                        1.000488281250001,
                                                        1.00390625,
                                                        1.0039062500000001})
      x(i++) = static_cast<From>(e);
  }
  return x;
}

template <typename From, typename To>
void check(const Array<From>& x) {
  const std::int64_t count = x.extent(0);
  const Type from = type_of<From>(), to = type_of<To>();
  Array<To> y({count});
  const Kernel k = kernel(
      "convert", {"N"},
      {argument("x", from, Access::read, {p("N")}), argument("y", to, Access::written, {p("N")})},
      over_elements(8, store("y", {v("i")}, cast(to, load("x", from, {v("i")})))));
  REQUIRE(JitKernel(k).call({count}, {x, y}) == 0);
  for (std::int64_t i = 0; i < count; ++i) {
    INFO(to_string(from) << " to " << to_string(to) << ": " << number(x(i)) << " became "
                         << number(y(i)) << ", but is " << number(expected<To>(x(i))));
    REQUIRE(equal(y(i), expected<To>(x(i))));
  }
}

}  // namespace

TEMPLATE_TEST_CASE("casts", "[halide]", bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                   std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, Float16, BFloat16,
                   float, double) {
  const Array<TestType> x = values<TestType>();
  check<TestType, bool>(x);
  check<TestType, std::int8_t>(x);
  check<TestType, std::int16_t>(x);
  check<TestType, std::int32_t>(x);
  check<TestType, std::int64_t>(x);
  check<TestType, std::uint8_t>(x);
  check<TestType, std::uint16_t>(x);
  check<TestType, std::uint32_t>(x);
  check<TestType, std::uint64_t>(x);
  check<TestType, Float16>(x);
  check<TestType, BFloat16>(x);
  check<TestType, float>(x);
  check<TestType, double>(x);
}

TEST_CASE("casts of casts round each", "[halide]") {
  const std::int64_t count = 256;
  const auto chain = [](Type first, Type middle, Type last) {
    const Expr x = load("x", first, {v("i")});
    return kernel("chain", {"N"},
                  {argument("x", first, Access::read, {p("N")}),
                   argument("y", last, Access::written, {p("N")})},
                  over_elements(8, store("y", {v("i")}, cast(last, cast(middle, x)))));
  };
  // One more than the midpoint of two floats: a double can represent the midpoint, but rounds the
  // one away.
  Array<std::int64_t> integers({count});
  Array<double> doubles({count});
  for (std::int64_t i = 0; i < count; ++i) {
    integers(i) = (std::int64_t{1} << 60) + ((2 * i + 1) << 36) + 1;
    doubles(i) = 1 + std::ldexp(2 * i + 1, -11) + std::ldexp(1, -40);
  }
  Array<float> floats({count});
  REQUIRE(JitKernel(chain(i64, f64, f32)).call({count}, {integers, floats}) == 0);
  for (std::int64_t i = 0; i < count; ++i)
    REQUIRE(floats(i) == static_cast<float>(static_cast<double>(integers(i))));
  for (const Type type : {f16, bf16}) {
    Array<Float16> halves({count});
    strata_buffer* y = reinterpret_cast<strata_buffer*>(static_cast<halide_buffer_t*>(halves));
    if (type == bf16) y->type = strata_bfloat16();
    REQUIRE(JitKernel(chain(f64, f32, type)).call({count}, {doubles, strata_argument(y)}) == 0);
    for (std::int64_t i = 0; i < count; ++i)
      REQUIRE(halves(i).bits == nearest(static_cast<float>(doubles(i)), type == bf16));
  }
}

}  // namespace strata::test::cast_test
