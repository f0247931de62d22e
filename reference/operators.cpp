// The operators on concrete values.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reference/scalar.h"

namespace strata::reference {

namespace {

[[noreturn]] void no_meaning(Op op, Type type) {
  throw std::logic_error(to_string(op) + " has no meaning on " + to_string(type));
}

// floor(a / b), and 0 where b is 0.
__int128 floor_div(__int128 a, __int128 b) {
  if (b == 0) return 0;
  const __int128 quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

__int128 floor_mod(__int128 a, __int128 b) { return b == 0 ? 0 : a - floor_div(a, b) * b; }

__int128 shifted_left(__int128 a, __int128 count, int width) {
  return count < 0 || count >= width ? 0 : __int128(std::uint64_t(a) << int(count));
}

__int128 shifted_right(__int128 a, __int128 count, int width) {
  if (count < 0 || count >= width) return a < 0 ? -1 : 0;
  return floor_div(a, __int128{1} << int(count));
}

// Products are exact only modulo 2^64, which suffices for every width.
__int128 on_integers(Op op, Type type, __int128 a, __int128 b) {
  switch (op) {
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return std::uint64_t(a) * std::uint64_t(b);
    case Op::div: return floor_div(a, b);
    case Op::mod: return floor_mod(a, b);
    case Op::min: return a < b ? a : b;
    case Op::max: return a > b ? a : b;
    case Op::shift_left: return shifted_left(a, b, bits(type));
    case Op::shift_right: return shifted_right(a, b, bits(type));
    case Op::bit_and: return a & b;
    case Op::bit_or: return a | b;
    case Op::bit_xor: return a ^ b;
    default: no_meaning(op, type);
  }
}

__int128 on_integer(Op op, Type type, __int128 a) {
  switch (op) {
    case Op::negate: return -a;
    case Op::bit_not: return ~a;
    case Op::abs: return a < 0 ? -a : a;
    default: no_meaning(op, type);
  }
}

template <typename T>
bool compares(Op op, T a, T b) {
  switch (op) {
    case Op::eq: return a == b;
    case Op::ne: return a != b;
    case Op::lt: return a < b;
    case Op::le: return a <= b;
    case Op::gt: return a > b;
    default: return a >= b;
  }
}

// Computes in T, the type's own precision; for the two half types T is float, and the result is
// rounded afterwards.
template <typename T>
T on_floats(Op op, Type type, T a, T b) {
  switch (op) {
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::min: return a < b ? a : b;
    case Op::max: return a > b ? a : b;
    case Op::pow: return std::pow(a, b);
    case Op::atan2: return std::atan2(a, b);
    default: no_meaning(op, type);
  }
}

template <typename T>
T on_float(Op op, Type type, T a) {
  switch (op) {
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
    default: no_meaning(op, type);
  }
}

Scalar float_result(Op op, Type type, const std::vector<Scalar>& args) {
  const double a = real_of(args[0]), b = args.size() > 1 ? real_of(args[1]) : 0;
  if (type == Type::float64)
    return real_scalar(type, args.size() > 1 ? on_floats(op, type, a, b) : on_float(op, type, a));
  const float x = float(a), y = float(b);
  return real_scalar(type, args.size() > 1 ? on_floats(op, type, x, y) : on_float(op, type, x));
}

Scalar truth_result(Op op, const std::vector<Scalar>& args) {
  switch (op) {
    case Op::logical_not: return truth(args[0].bits == 0);
    case Op::logical_and: return truth(args[0].bits != 0 && args[1].bits != 0);
    case Op::logical_or: return truth(args[0].bits != 0 || args[1].bits != 0);
    default: break;
  }
  if (op < Op::eq || op > Op::ge) no_meaning(op, Type::boolean);
  return truth(is_float(args[0].type) ? compares(op, real_of(args[0]), real_of(args[1]))
                                      : compares(op, integer_of(args[0]), integer_of(args[1])));
}

}  // namespace

Scalar apply(Op op, Type type, const std::vector<Scalar>& args) {
  if (type == Type::boolean) return truth_result(op, args);
  if (is_float(type)) return float_result(op, type, args);
  if (args.size() == 1) return integer_scalar(type, on_integer(op, type, integer_of(args[0])));
  return integer_scalar(type,
                        on_integers(op, args[0].type, integer_of(args[0]), integer_of(args[1])));
}

}  // namespace strata::reference
