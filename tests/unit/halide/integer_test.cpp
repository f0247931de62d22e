// Every integer operator on every type and edge value, compared with 128-bit arithmetic.
#include <catch2/catch.hpp>

#include <limits>

#include "tests/unit/halide/operators.h"

namespace strata::test::integer_test {

namespace {

using Wide = __int128;

template <typename T>
T wrapped(Wide x) {
  return static_cast<T>(static_cast<unsigned __int128>(x));
}

Wide floored(Wide a, Wide b) {
  if (b == 0) return 0;
  Wide q = a / b;
  if (q * b != a && (a < 0) != (b < 0)) --q;
  return q;
}

template <typename T>
T shifted(Op op, T a, T b) {
  const bool out = Wide(b) < 0 || Wide(b) >= Wide(8 * sizeof(T));
  if (op == Op::shift_left) return out ? T(0) : wrapped<T>(Wide(a) << int(b));
  if (out) return a < 0 ? T(-1) : T(0);
  return wrapped<T>(floored(Wide(a), Wide(1) << int(b)));
}

template <typename T>
T expected(Op op, T a, T b) {
  const Wide x = a, y = b;
  switch (op) {
    case Op::add: return wrapped<T>(x + y);
    case Op::sub: return wrapped<T>(x - y);
    case Op::mul:
      return wrapped<T>(
          static_cast<Wide>(static_cast<unsigned __int128>(x) * static_cast<unsigned __int128>(y)));
    case Op::div: return wrapped<T>(floored(x, y));
    case Op::mod: return wrapped<T>(y == 0 ? 0 : x - floored(x, y) * y);
    case Op::min: return a < b ? a : b;
    case Op::max: return a > b ? a : b;
    case Op::shift_left:
    case Op::shift_right: return shifted(op, a, b);
    case Op::bit_and: return wrapped<T>(x & y);
    case Op::bit_or: return wrapped<T>(x | y);
    case Op::bit_xor: return wrapped<T>(x ^ y);
    case Op::negate: return wrapped<T>(-x);
    case Op::bit_not: return wrapped<T>(~x);
    case Op::abs: return wrapped<T>(x < 0 ? -x : x);
    default: throw std::logic_error("no such case");
  }
}

bool expected_truth(Op op, Wide a, Wide b) {
  switch (op) {
    case Op::eq: return a == b;
    case Op::ne: return a != b;
    case Op::lt: return a < b;
    case Op::le: return a <= b;
    case Op::gt: return a > b;
    default: return a >= b;
  }
}

template <typename T>
OperandPairs<T> operands() {
  using Limits = std::numeric_limits<T>;
  const T low = Limits::min(), high = Limits::max();
  const T width = T(8 * sizeof(T));
  return OperandPairs<T>({T(0),         T(1),        T(2),         T(3),
                          T(7),         T(-1),       T(-2),        T(-3),
                          T(-7),        low,         T(low + 1),   T(low + 2),
                          high,         T(high - 1), T(high / 2),  T(high / 2 + 1),
                          T(width - 1), width,       T(width + 1), T(-width),
                          T(100),       T(-100),     T(0x55)},
                         [](std::mt19937_64& g) { return static_cast<T>(g() >> (g() % 64)); });
}

const std::vector<Op> arithmetic = {Op::add,         Op::sub,     Op::mul,    Op::div,
                                    Op::mod,         Op::min,     Op::max,    Op::shift_left,
                                    Op::shift_right, Op::bit_and, Op::bit_or, Op::bit_xor,
                                    Op::negate,      Op::bit_not, Op::abs};
const std::vector<Op> comparisons = {Op::eq, Op::ne, Op::lt, Op::le, Op::gt, Op::ge};

Expr applied(Op op, Type type) {
  const bool unary = op == Op::negate || op == Op::bit_not || op == Op::abs;
  if (unary) return make(op, {operand_a(type)});
  return make(op, {operand_a(type), operand_b(type)});
}

}  // namespace

TEMPLATE_TEST_CASE("integer operators", "[halide]", std::int8_t, std::int16_t, std::int32_t,
                   std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t) {
  using T = TestType;
  const OperandPairs<T> x = operands<T>();
  const Type type = type_of<T>();
  const std::int64_t count = x.a.extent(0);
  for (const int lanes : {1, 8}) {
    CAPTURE(lanes);
    std::vector<Expr> results, truths;
    for (const Op op : arithmetic) results.push_back(applied(op, type));
    for (const Op op : comparisons) truths.push_back(applied(op, type));
    Array<T> out({std::int64_t(results.size()), count});
    Array<bool> truth({std::int64_t(truths.size()), count});
    REQUIRE(
        JitKernel(operators_kernel(type, type, results, lanes)).call({count}, {x.a, x.b, out}) ==
        0);
    REQUIRE(JitKernel(operators_kernel(type, boolean, truths, lanes))
                .call({count}, {x.a, x.b, truth}) == 0);
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < arithmetic.size(); ++k) {
        INFO(to_string(arithmetic[k]) << " of " << +x.a(i) << " and " << +x.b(i));
        REQUIRE(+out(k, i) == +expected<T>(arithmetic[k], x.a(i), x.b(i)));
      }
      for (std::size_t k = 0; k < comparisons.size(); ++k) {
        INFO(to_string(comparisons[k]) << " of " << +x.a(i) << " and " << +x.b(i));
        REQUIRE(truth(k, i) == expected_truth(comparisons[k], x.a(i), x.b(i)));
      }
    }
  }
}

// Division by constants uses other instructions than division by loaded values.
TEMPLATE_TEST_CASE("division by constants", "[halide]", std::int8_t, std::int16_t, std::int32_t,
                   std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t) {
  using T = TestType;
  const OperandPairs<T> x = operands<T>();
  const Type type = type_of<T>();
  const std::int64_t count = x.a.extent(0);
  std::vector<T> divisors = {T(1),
                             T(2),
                             T(3),
                             T(7),
                             T(16),
                             T(100),
                             T(-1),
                             T(-2),
                             T(-5),
                             std::numeric_limits<T>::min(),
                             std::numeric_limits<T>::max(),
                             T(0)};
  std::vector<Expr> results;
  for (const T d : divisors) {
    results.push_back(operand_a(type) / constant(type, std::int64_t(d)));
    results.push_back(operand_a(type) % constant(type, std::int64_t(d)));
  }
  Array<T> out({std::int64_t(results.size()), count});
  REQUIRE(JitKernel(operators_kernel(type, type, results, 8)).call({count}, {x.a, x.b, out}) == 0);
  for (std::int64_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < divisors.size(); ++k) {
      INFO(+x.a(i) << " by " << +divisors[k]);
      REQUIRE(+out(2 * k, i) == +expected<T>(Op::div, x.a(i), divisors[k]));
      REQUIRE(+out(2 * k + 1, i) == +expected<T>(Op::mod, x.a(i), divisors[k]));
    }
}

TEST_CASE("boolean operators", "[halide]") {
  Array<bool> a({64}), b({64});
  for (int i = 0; i < 64; ++i) {
    a(i) = i & 1;
    b(i) = i & 2;
  }
  const Expr x = operand_a(boolean), y = operand_b(boolean);
  const std::vector<Expr> results = {x && y, x || y, !x, x == y, x != y, select(x, y, !y)};
  for (const int lanes : {1, 16}) {
    Array<bool> out({std::int64_t(results.size()), 64});
    REQUIRE(JitKernel(operators_kernel(boolean, boolean, results, lanes)).call({64}, {a, b, out}) ==
            0);
    for (int i = 0; i < 64; ++i) {
      const bool s = a(i), t = b(i);
      const std::vector<bool> wanted = {s && t, s || t, !s, s == t, s != t, s ? t : !t};
      for (std::size_t k = 0; k < wanted.size(); ++k) REQUIRE(out(k, i) == wanted[k]);
    }
  }
}

// Facts that Halide's simplifier would prove of numbers that never overflow.
TEST_CASE("wrapping survives the simplifier", "[halide]") {
  const Expr a = operand_a(i32), b = operand_b(i32);
  const std::vector<Expr> results = {cast(i32, a + 1 > a), cast(i32, a + b < b), (a * 2) / 2,
                                     (a + b) - b,          abs(a) / 4,           cast(i32, -a < 0)};
  const OperandPairs<std::int32_t> x = operands<std::int32_t>();
  const std::int64_t count = x.a.extent(0);
  Array<std::int32_t> out({6, count});
  REQUIRE(JitKernel(operators_kernel(i32, i32, results, 8)).call({count}, {x.a, x.b, out}) == 0);
  for (std::int64_t i = 0; i < count; ++i) {
    using T = std::int32_t;
    const T s = x.a(i), t = x.b(i);
    const auto e = [](Op op, T l, T r) { return expected<T>(op, l, r); };
    CAPTURE(s, t);
    REQUIRE(out(0, i) == T(e(Op::add, s, 1) > s));
    REQUIRE(out(1, i) == T(e(Op::add, s, t) < t));
    REQUIRE(out(2, i) == e(Op::div, e(Op::mul, s, 2), 2));
    REQUIRE(out(3, i) == s);
    REQUIRE(out(4, i) == e(Op::div, e(Op::abs, s, 0), 4));
    REQUIRE(out(5, i) == T(e(Op::negate, s, 0) < 0));
  }
}

}  // namespace strata::test::integer_test
