// Every operator of float32 and float64 on every edge value, compared with the C++ compiler's.
#include <catch2/catch.hpp>

#include <limits>

#include "tests/unit/halide/operators.h"

namespace strata::test::float_test {

namespace {

template <typename T>
T operation(Op op, T a, T b) {
  switch (op) {
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::min: return a < b ? a : b;
    case Op::max: return a > b ? a : b;
    case Op::pow: return std::pow(a, b);
    case Op::atan2: return std::atan2(a, b);
    case Op::negate: return -a;
    case Op::abs: return std::fabs(a);
    case Op::sqrt: return std::sqrt(a);
    case Op::exp: return std::exp(a);
    case Op::log: return std::log(a);
    case Op::sin: return std::sin(a);
    case Op::cos: return std::cos(a);
    case Op::tan: return std::tan(a);
    case Op::asin: return std::asin(a);
    case Op::acos: return std::acos(a);
    case Op::atan: return std::atan(a);
    case Op::sinh: return std::sinh(a);
    case Op::cosh: return std::cosh(a);
    case Op::tanh: return std::tanh(a);
    case Op::asinh: return std::asinh(a);
    case Op::acosh: return std::acosh(a);
    case Op::atanh: return std::atanh(a);
    case Op::erf: return std::erf(a);
    case Op::floor: return std::floor(a);
    case Op::ceil: return std::ceil(a);
    case Op::round: return std::nearbyint(a);
    case Op::trunc: return std::trunc(a);
    default: throw std::logic_error("no such case");
  }
}

const std::vector<Op> binary = {Op::add, Op::sub, Op::mul, Op::div,
                                Op::min, Op::max, Op::pow, Op::atan2};
const std::vector<Op> unary = {Op::negate, Op::abs,  Op::sqrt,  Op::exp,   Op::log,   Op::sin,
                               Op::cos,    Op::tan,  Op::asin,  Op::acos,  Op::atan,  Op::sinh,
                               Op::cosh,   Op::tanh, Op::asinh, Op::acosh, Op::atanh, Op::erf,
                               Op::floor,  Op::ceil, Op::round, Op::trunc};

std::vector<Op> all_operators() {
  std::vector<Op> all = binary;
  all.insert(all.end(), unary.begin(), unary.end());
  return all;
}

std::vector<Expr> all_of(const std::vector<Op>& ops, Type type) {
  std::vector<Expr> out;
  for (const Op op : ops) {
    const bool one = std::find(unary.begin(), unary.end(), op) != unary.end();
    out.push_back(one ? make(op, {operand_a(type)}) : make(op, {operand_a(type), operand_b(type)}));
  }
  return out;
}

template <typename T, typename Bits>
OperandPairs<T> numbers() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> edges = {T(0),
                          Limits::infinity(),
                          Limits::denorm_min(),
                          Limits::min(),
                          Limits::max(),
                          T(1),
                          T(1) + Limits::epsilon(),
                          T(0.5),
                          std::nextafter(T(0.5), T(0)),
                          T(1.5),
                          T(2.5),
                          T(3),
                          T(1e10),
                          T(8388607.5),
                          T(2147483648.0),
                          T(0.1),
                          T(1e-30)};
  const std::size_t positive = edges.size();
  for (std::size_t i = 0; i < positive; ++i) edges.push_back(-edges[i]);
  edges.push_back(Limits::quiet_NaN());
  return OperandPairs<T>(edges, [](std::mt19937_64& g) {
    if (g() % 2) return std::bit_cast<T>(static_cast<Bits>(g()));
    return static_cast<T>(static_cast<double>(static_cast<std::int64_t>(g())) / 1e18);
  });
}

// Math functions of vectors have their own tests (vector_math_test.cpp).
bool is_within_ulps(Op op, Floats mode, int lanes) {
  return mode == Floats::fast && lanes > 1 &&
         ((Op::exp <= op && op <= Op::erf) || op == Op::pow || op == Op::atan2);
}

template <typename T, typename Bits>
void check_operators(Floats mode) {
  const OperandPairs<T> x = numbers<T, Bits>();
  const Type type = type_of<T>();
  const std::int64_t count = x.a.extent(0);
  const std::vector<Op> ops = all_operators();
  for (const int lanes : {1, 8}) {
    Array<T> out({std::int64_t(ops.size()), count});
    REQUIRE(JitKernel(operators_kernel(type, type, all_of(ops, type), lanes, mode))
                .call({count}, {x.a, x.b, out}) == 0);
    for (std::int64_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < ops.size(); ++k) {
        if (is_within_ulps(ops[k], mode, lanes)) continue;
        const T a = x.a(i), b = x.b(i), wanted = operation(ops[k], a, b);
        INFO(to_string(ops[k]) << "(" << a << ", " << b << ") in " << lanes
                               << " lanes: " << out(k, i) << ", but " << wanted);
        REQUIRE(identical<T>(out(k, i), wanted));
      }
  }
}

}  // namespace

TEST_CASE("float32 operators", "[halide]") {
  check_operators<float, std::uint32_t>(Floats::exact);
  check_operators<float, std::uint32_t>(Floats::fast);
}

TEST_CASE("float64 operators", "[halide]") {
  check_operators<double, std::uint64_t>(Floats::exact);
  check_operators<double, std::uint64_t>(Floats::fast);
}

TEST_CASE("comparisons of floats respect NaN and signed zeros", "[halide]") {
  const OperandPairs<float> x = numbers<float, std::uint32_t>();
  const std::int64_t count = x.a.extent(0);
  const Expr a = operand_a(f32), b = operand_b(f32);
  const std::vector<Expr> results = {a == b, a != b, a<b, a <= b, a> b, a >= b, !(a < b), a != a};
  for (const int lanes : {1, 16}) {
    Array<bool> out({8, count});
    REQUIRE(JitKernel(operators_kernel(f32, boolean, results, lanes, Floats::fast))
                .call({count}, {x.a, x.b, out}) == 0);
    for (std::int64_t i = 0; i < count; ++i) {
      const float s = x.a(i), t = x.b(i);
      const std::vector<bool> wanted = {s == t, s != t,   s<t, s <= t, s> t,
                                        s >= t, !(s < t), std::isnan(s)};
      CAPTURE(s, t);
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        CAPTURE(k, lanes);
        REQUIRE(out(k, i) == wanted[k]);
      }
    }
  }
}

// Each of these would be changed by some float optimisation of compilers.
TEST_CASE("no float operation is reordered, dropped or contracted", "[halide]") {
  const OperandPairs<float> x = numbers<float, std::uint32_t>();
  const std::int64_t count = x.a.extent(0);
  const Expr a = operand_a(f32), b = operand_b(f32);
  const std::vector<Expr> results = {
      a * b + a,      a - (a - b),      (a + b) - a, a / 3.0f, a / b * b, a - a,
      a * 0.0f,       a / 0.0f,         a / -0.0f,   a + 0.0f, 0.0f - a,  a * b - b,
      (a + b) + 0.1f, a * 0.1f * 10.0f, -(a - b),    b - a * b};
  for (const int lanes : {1, 16}) {
    Array<float> out({std::int64_t(results.size()), count});
    REQUIRE(JitKernel(operators_kernel(f32, f32, results, lanes)).call({count}, {x.a, x.b, out}) ==
            0);
    for (std::int64_t i = 0; i < count; ++i) {
      const float s = x.a(i), t = x.b(i);
      const auto once = [](float value) { return *const_cast<volatile float*>(&value); };
      const float wanted[] = {once(s * t) + s,    s - once(s - t),
                              once(s + t) - s,    s / 3.0f,
                              once(s / t) * t,    s - s,
                              s * 0.0f,           s / 0.0f,
                              s / -0.0f,          s + 0.0f,
                              0.0f - s,           once(s * t) - t,
                              once(s + t) + 0.1f, once(s * 0.1f) * 10.0f,
                              -once(s - t),       t - once(s * t)};
      CAPTURE(s, t, lanes);
      for (std::size_t k = 0; k < results.size(); ++k) {
        CAPTURE(k, out(k, i), wanted[k]);
        REQUIRE(identical(out(k, i), wanted[k]));
      }
    }
  }
}

namespace {

template <typename T, typename Bits>
void check_reciprocals() {
  using Limits = std::numeric_limits<T>;
  const OperandPairs<T> x = numbers<T, Bits>();
  const Type type = type_of<T>();
  const std::int64_t count = x.a.extent(0);
  const Expr a = operand_a(type), b = operand_b(type);
  // 1 / largest is subnormal and 1 / denorm_min infinite: quotients by these remain divisions.
  const T least = 1 / Limits::min();
  const std::vector<Expr> results = {a / T(3),          a / T(-7),   a / least,
                                     a / Limits::max(), a / T(0),    a / Limits::denorm_min(),
                                     a / T(3) + b,      b - a / T(3)};
  for (const int lanes : {1, 16}) {
    Array<T> out({std::int64_t(results.size()), count});
    REQUIRE(JitKernel(operators_kernel(type, type, results, lanes, Floats::fast))
                .call({count}, {x.a, x.b, out}) == 0);
    for (std::int64_t i = 0; i < count; ++i) {
      const T s = x.a(i), t = x.b(i), third = T(1) / T(3);
      const T wanted[] = {
          s * third, s * (T(1) / T(-7)),       s * Limits::min(),     s / Limits::max(),
          s / T(0),  s / Limits::denorm_min(), std::fma(s, third, t), std::fma(-s, third, t)};
      CAPTURE(s, t, lanes);
      for (std::size_t k = 0; k < results.size(); ++k) {
        CAPTURE(k, out(k, i), wanted[k]);
        REQUIRE(identical(out(k, i), wanted[k]));
      }
    }
  }
}

}  // namespace

TEST_CASE("fast mode multiplies by the reciprocal of a constant, if that is normal", "[halide]") {
  check_reciprocals<float, std::uint32_t>();
  check_reciprocals<double, std::uint64_t>();
}

// fast: a fused multiply-add for every sum with a product.
TEST_CASE("fast mode fuses a multiplication with an addition", "[halide]") {
  const OperandPairs<float> x = numbers<float, std::uint32_t>();
  const std::int64_t count = x.a.extent(0);
  const Expr a = operand_a(f32), b = operand_b(f32);
  const std::vector<Expr> results = {a * b + a, a + a * b,   a * b - b,
                                     b - a * b, (a + b) - a, a * a + b * b};
  for (const int lanes : {1, 16}) {
    Array<float> out({6, count});
    REQUIRE(JitKernel(operators_kernel(f32, f32, results, lanes, Floats::fast))
                .call({count}, {x.a, x.b, out}) == 0);
    bool differs = false;
    for (std::int64_t i = 0; i < count; ++i) {
      const float s = x.a(i), t = x.b(i);
      const auto once = [](float value) { return *const_cast<volatile float*>(&value); };
      const float fused[] = {std::fma(s, t, s),  std::fma(s, t, s), std::fma(s, t, -t),
                             std::fma(-s, t, t), once(s + t) - s,   std::fma(t, t, once(s * s))};
      CAPTURE(s, t, lanes);
      for (std::size_t k = 0; k < results.size(); ++k) {
        CAPTURE(k, out(k, i), fused[k]);
        REQUIRE(identical(out(k, i), fused[k]));
      }
      differs = differs || !identical(out(0, i), once(s * t) + s);
    }
    CHECK(differs);
  }
}

}  // namespace strata::test::float_test
