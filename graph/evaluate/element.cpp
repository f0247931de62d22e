#include "graph/evaluate/element.h"

#include <cmath>
#include <cstring>

#include "core/float_bits.h"
#include "core/floor_quotient.h"

namespace strata::graph {

namespace {

__int128 exact(const Element& a) {
  return a.type == u64 ? __int128(std::uint64_t(a.integer)) : __int128(a.integer);
}

double as_real(const Element& a) { return is_float(a.type) ? a.real : double(exact(a)); }

__int128 shifted_left(Type type, __int128 a, __int128 count) {
  return count < 0 || count >= bits(type) ? 0 : __int128(std::uint64_t(a) << int(count));
}

__int128 shifted_right(Type type, __int128 a, __int128 count) {
  if (count < 0 || count >= bits(type)) return a < 0 ? -1 : 0;
  return a >> int(count);
}

// Products of 64-bit integers are right modulo 2^64.
__int128 on_integers(Op op, Type type, __int128 a, __int128 b) {
  switch (op) {
    case Op::negate: return -a;
    case Op::bit_not: return ~a;
    case Op::abs: return a < 0 ? -a : a;
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return std::uint64_t(a) * std::uint64_t(b);
    case Op::div: return b == 0 ? 0 : floor_quotient(a, b);
    case Op::mod: return b == 0 ? 0 : a - floor_quotient(a, b) * b;
    case Op::min: return a < b ? a : b;
    case Op::max: return a > b ? a : b;
    case Op::shift_left: return shifted_left(type, a, b);
    case Op::shift_right: return shifted_right(type, a, b);
    case Op::bit_and: return a & b;
    case Op::bit_or: return a | b;
    default: return a ^ b;
  }
}

// Computes in double; the caller rounds to the type. For + - * / and sqrt of shorter floats this
// equals the type's own operation, since double has at least 2 p + 2 significant bits for the p
// bits of the type.
double on_reals(Op op, double a, double b) {
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
    case Op::floor: return std::floor(a);
    case Op::ceil: return std::ceil(a);
    case Op::round: return std::nearbyint(a);
    default: return std::trunc(a);
  }
}

using RealFunction = double (*)(double);
RealFunction function_of(Op op) {
  switch (op) {
    case Op::sqrt: return std::sqrt;
    case Op::exp: return std::exp;
    case Op::log: return std::log;
    case Op::sin: return std::sin;
    case Op::cos: return std::cos;
    case Op::tan: return std::tan;
    case Op::asin: return std::asin;
    case Op::acos: return std::acos;
    case Op::atan: return std::atan;
    case Op::sinh: return std::sinh;
    case Op::cosh: return std::cosh;
    case Op::tanh: return std::tanh;
    case Op::asinh: return std::asinh;
    case Op::acosh: return std::acosh;
    case Op::atanh: return std::atanh;
    case Op::erf: return std::erf;
    default: return nullptr;
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

bool truth(Op op, const Element& a, const Element& b) {
  switch (op) {
    case Op::logical_not: return a.integer == 0;
    case Op::logical_and: return a.integer != 0 && b.integer != 0;
    case Op::logical_or: return a.integer != 0 || b.integer != 0;
    default:
      return is_float(a.type) ? compares(op, a.real, b.real) : compares(op, exact(a), exact(b));
  }
}

// Truncates towards zero and saturates; NaN gives 0.
Element truncated(Type type, double value) {
  if (std::isnan(value)) return integer_element(type, 0);
  const int digits = bits(type) - (is_signed_integer(type) ? 1 : 0);
  const __int128 top = (__int128{1} << digits) - 1;
  const __int128 bottom = is_signed_integer(type) ? -top - 1 : 0;
  if (value >= std::ldexp(1.0, digits)) return integer_element(type, top);
  if (value <= double(bottom)) return integer_element(type, bottom);
  return integer_element(type, __int128(value));
}

template <typename T>
T loaded(const NDArray& array, std::size_t position) {
  T value;
  std::memcpy(&value, array.raw() + position * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
void store(const NDArray& array, std::size_t position, T value) {
  std::memcpy(array.raw() + position * sizeof(T), &value, sizeof(T));
}

}  // namespace

strata_type element_type_of(Type type) {
  if (type == boolean) return strata_boolean();
  if (type == bf16) return strata_bfloat16();
  const auto size = static_cast<std::uint8_t>(bits(type));
  if (is_float(type)) return strata_float(size);
  return is_signed_integer(type) ? strata_int(size) : strata_uint(size);
}

Element integer_element(Type type, __int128 value) {
  if (type == boolean) return {type, value != 0 ? 1 : 0, 0};
  const int unused = 64 - bits(type);
  const std::uint64_t top = static_cast<std::uint64_t>(value) << unused;
  if (is_signed_integer(type)) return {type, static_cast<std::int64_t>(top) >> unused, 0};
  return {type, static_cast<std::int64_t>(top >> unused), 0};
}

Element real_element(Type type, double value) { return {type, 0, rounded_to(type, value)}; }

Element element_of(const ExprNode& constant) {
  return {constant.type, constant.integer, constant.real};
}

Expr constant_of(const Element& value) {
  return is_float(value.type) ? real_constant(value.type, value.real)
                              : constant(value.type, value.integer);
}

Element cast_element(Type type, const Element& a) {
  if (is_float(a.type)) {
    if (is_float(type)) return real_element(type, a.real);
    return type == boolean ? integer_element(type, a.real != 0) : truncated(type, a.real);
  }
  if (!is_float(type)) return integer_element(type, exact(a));
  const double rounded = a.type == u64 ? rounded_to(type, static_cast<std::uint64_t>(a.integer))
                                       : rounded_to(type, a.integer);
  return {type, 0, rounded};
}

Element applied(Op op, Type type, const Element& a, const Element& b) {
  if (type == boolean) return integer_element(boolean, truth(op, a, b) ? 1 : 0);
  if (!is_float(type)) return integer_element(type, on_integers(op, a.type, exact(a), exact(b)));
  const RealFunction f = function_of(op);
  return real_element(type, f ? f(as_real(a)) : on_reals(op, as_real(a), as_real(b)));
}

Element read(const NDArray& array, Type type, std::size_t position) {
  switch (type) {
    case Type::boolean: return integer_element(type, loaded<std::uint8_t>(array, position) & 1);
    case Type::int8:
    case Type::uint8: return integer_element(type, loaded<std::int8_t>(array, position));
    case Type::int16:
    case Type::uint16: return integer_element(type, loaded<std::int16_t>(array, position));
    case Type::int32:
    case Type::uint32: return integer_element(type, loaded<std::int32_t>(array, position));
    case Type::int64:
    case Type::uint64: return integer_element(type, loaded<std::int64_t>(array, position));
    case Type::float16: return {type, 0, from_binary16(loaded<std::uint16_t>(array, position))};
    case Type::bfloat16: return {type, 0, from_bfloat16(loaded<std::uint16_t>(array, position))};
    case Type::float32: return {type, 0, loaded<float>(array, position)};
    default: return {type, 0, loaded<double>(array, position)};
  }
}

void write(const NDArray& array, std::size_t position, const Element& value) {
  switch (value.type) {
    case Type::boolean:
    case Type::int8:
    case Type::uint8: return store(array, position, static_cast<std::int8_t>(value.integer));
    case Type::int16:
    case Type::uint16: return store(array, position, static_cast<std::int16_t>(value.integer));
    case Type::int32:
    case Type::uint32: return store(array, position, static_cast<std::int32_t>(value.integer));
    case Type::int64:
    case Type::uint64: return store(array, position, value.integer);
    case Type::float16: return store(array, position, to_binary16(value.real));
    case Type::bfloat16: return store(array, position, to_bfloat16(value.real));
    case Type::float32: return store(array, position, static_cast<float>(value.real));
    default: return store(array, position, value.real);
  }
}

}  // namespace strata::graph
