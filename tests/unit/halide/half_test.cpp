// The 16-bit floats: the result of every operator is rounded by itself, in hardware or by bit
// operations.
#include <catch2/catch.hpp>

#include <cfloat>
#include <limits>

#include "tests/unit/halide/operators.h"

namespace strata::test::half_test {

namespace {

static_assert(LDBL_MANT_DIG == 64, "the expected values are computed in 80-bit floats");

// A binary format with "places" significant bits and largest exponent "top".
struct Format {
  int places, top;
  int exponent_bits() const { return 16 - places; }

  // The number with these bits.
  long double value(std::uint16_t bits) const {
    const int exponent = (bits & 0x7fff) >> (places - 1), rest = bits & ((1 << (places - 1)) - 1);
    const long double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == 2 * top + 1) return rest ? std::nanl("") : sign * HUGE_VALL;
    if (exponent == 0) return sign * std::ldexp((long double)rest, 1 - top - (places - 1));
    return sign *
           std::ldexp((long double)(rest + (1 << (places - 1))), exponent - top - (places - 1));
  }

  // The nearest number of the format, ties to even.
  std::uint16_t bits(long double x) const {
    const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
    const std::uint16_t infinity = (2 * top + 1) << (places - 1);
    if (std::isnan(x)) return infinity | 1;
    x = std::fabs(x);
    int exponent = 1 - top;
    if (x >= std::ldexp(1.0L, exponent) && !std::isinf(x)) exponent = std::ilogb(x);
    const long double scaled = std::nearbyint(std::ldexp(x, places - 1 - exponent));
    const bool overflow =
        std::isinf(x) || std::ldexp(scaled, exponent - places + 1) >= std::ldexp(1.0L, top + 1);
    if (overflow) return sign | infinity;
    const auto whole = static_cast<std::uint16_t>(scaled);
    return sign | (whole + ((exponent + top - 1) << (places - 1)));
  }

  bool same(std::uint16_t a, std::uint16_t b) const {
    return a == b || (std::isnan(value(a)) && std::isnan(value(b)));
  }
};

template <typename T>
Format format() {
  return std::same_as<T, Float16> ? Format{11, 15} : Format{8, 127};
}

// Basic operations are exact or correctly rounded in 80 bits, far more than twice the format's
// bits; functions go through float.
long double operation(Op op, long double a, long double b) {
  const float x = static_cast<float>(a), y = static_cast<float>(b);
  switch (op) {
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::min: return a < b ? a : b;
    case Op::max: return a > b ? a : b;
    case Op::negate: return -a;
    case Op::abs: return std::fabs(a);
    case Op::sqrt: return std::sqrt(a);
    case Op::floor: return std::floor(a);
    case Op::round: return std::nearbyint(a);
    case Op::exp: return std::exp(x);
    case Op::tanh: return std::tanh(x);
    case Op::pow: return std::pow(x, y);
    default: throw std::logic_error("no such case");
  }
}

template <typename T>
OperandPairs<T> numbers() {
  std::vector<T> edges;
  for (const int bits :
       {0,      1,      2,      0x3ff,  0x400,  0x7f,   0x80,   0x7bff, 0x7c00, 0x7c01, 0x7e00,
        0x7f7f, 0x7f80, 0x7f81, 0x7fc0, 0x3c00, 0x3c01, 0x3f80, 0x3f81, 0x4000, 0x1234})
    for (const int sign : {0, 0x8000}) edges.push_back(T{static_cast<std::uint16_t>(bits | sign)});
  OperandPairs<T> pairs(edges,
                        [](std::mt19937_64& g) { return T{static_cast<std::uint16_t>(g())}; });
  // The C library distinguishes signalling from quiet NaNs: pow(NaN, 0) is 1 only for a quiet one.
  for (Array<T>* x : {&pairs.a, &pairs.b})
    for (T& e : *x)
      if (std::isnan(format<T>().value(e.bits))) e.bits |= 0x240;
  return pairs;
}

const std::vector<Op> binary = {Op::add, Op::sub, Op::mul, Op::div, Op::min, Op::max, Op::pow};
const std::vector<Op> unary = {Op::negate, Op::abs, Op::sqrt, Op::floor,
                               Op::round,  Op::exp, Op::tanh};

}  // namespace

TEMPLATE_TEST_CASE("16-bit float operators", "[halide]", Float16, BFloat16) {
  using T = TestType;
  const Format f = format<T>();
  const Type type = type_of<T>();
  const OperandPairs<T> x = numbers<T>();
  const std::int64_t count = x.a.extent(0);
  std::vector<Op> ops = binary;
  ops.insert(ops.end(), unary.begin(), unary.end());
  std::vector<Expr> results;
  for (std::size_t k = 0; k < ops.size(); ++k)
    results.push_back(k < binary.size() ? make(ops[k], {operand_a(type), operand_b(type)})
                                        : make(ops[k], {operand_a(type)}));
  results.push_back(operand_a(type) * operand_b(type) + operand_a(type));
  for (const int lanes : {1, 16}) {
    Array<T> out({std::int64_t(results.size()), count});
    REQUIRE(JitKernel(operators_kernel(type, type, results, lanes, Floats::fast))
                .call({count}, {x.a, x.b, out}) == 0);
    for (std::int64_t i = 0; i < count; ++i) {
      const long double a = f.value(x.a(i).bits), b = f.value(x.b(i).bits);
      for (std::size_t k = 0; k < ops.size(); ++k) {
        const std::uint16_t wanted = f.bits(operation(ops[k], a, b));
        INFO(to_string(ops[k]) << "(" << a << ", " << b << "): " << f.value(out(k, i).bits)
                               << ", but " << f.value(wanted) << "; lanes " << lanes);
        REQUIRE(f.same(out(k, i).bits, wanted));
      }
      const std::uint16_t twice = f.bits(f.value(f.bits(a * b)) + a);
      REQUIRE(f.same(out(ops.size(), i).bits, twice));
    }
  }
}

TEMPLATE_TEST_CASE("16-bit floats to and from float, all of them", "[halide]", Float16, BFloat16) {
  using T = TestType;
  const Format f = format<T>();
  const Type type = type_of<T>();
  const std::int64_t count = 65536;
  Array<T> narrow({count}), back({count});
  Array<float> wide({count});
  for (std::int64_t i = 0; i < count; ++i) narrow(i).bits = static_cast<std::uint16_t>(i);
  const auto conversion = [&](Type from, Type to) {
    return kernel(
        "convert", {"N"},
        {argument("x", from, Access::read, {p("N")}), argument("y", to, Access::written, {p("N")})},
        over_elements(16, store("y", {v("i")}, cast(to, load("x", from, {v("i")})))));
  };
  REQUIRE(JitKernel(conversion(type, f32)).call({count}, {narrow, wide}) == 0);
  for (std::int64_t i = 0; i < count; ++i) {
    CAPTURE(i);
    REQUIRE(identical(wide(i), static_cast<float>(f.value(narrow(i).bits))));
  }
  REQUIRE(JitKernel(conversion(f32, type)).call({count}, {wide, back}) == 0);
  for (std::int64_t i = 0; i < count; ++i) REQUIRE(f.same(back(i).bits, narrow(i).bits));
  // Around every midpoint of two neighbours.
  for (std::int64_t i = 0; i < count; ++i) {
    const float x = wide(i), next = static_cast<float>(f.value(static_cast<std::uint16_t>(i + 1)));
    const float middle = std::isfinite(x) && std::isfinite(next) ? x / 2 + next / 2 : x * 1.3f;
    wide(i) = i % 3 == 0 ? middle : std::nextafter(middle, i % 3 == 1 ? INFINITY : -INFINITY);
  }
  REQUIRE(JitKernel(conversion(f32, type)).call({count}, {wide, back}) == 0);
  for (std::int64_t i = 0; i < count; ++i) {
    CAPTURE(wide(i), i);
    REQUIRE(f.same(back(i).bits, f.bits(wide(i))));
  }
}

}  // namespace strata::test::half_test
