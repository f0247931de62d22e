// Constants: C++ numbers that may still take a type, and typed constants.
#include <bit>
#include <cmath>
#include <limits>

#include "core/expr/expr_typing.h"
#include "core/float_bits.h"

namespace strata {

namespace {

// The value of the integer type whose bits are the lowest bits of "value".
std::int64_t wrapped(Type type, std::int64_t value) {
  if (type == Type::boolean) return value != 0 ? 1 : 0;
  const int unused = 64 - bits(type);
  const std::uint64_t top = static_cast<std::uint64_t>(value) << unused;
  if (is_signed_integer(type)) return static_cast<std::int64_t>(top) >> unused;
  return static_cast<std::int64_t>(top >> unused);
}

std::int64_t largest(Type type) {
  if (type == Type::uint64) return -1;
  const int value_bits = is_signed_integer(type) ? bits(type) - 1 : bits(type);
  return static_cast<std::int64_t>((std::uint64_t{1} << value_bits) - 1);
}

std::int64_t smallest(Type type) { return is_signed_integer(type) ? -largest(type) - 1 : 0; }

Expr typed(Type type, std::int64_t integer, double real, bool literal) {
  auto node = std::make_shared<ExprNode>();
  node->op = Op::constant;
  node->type = type;
  node->integer = integer;
  node->real = real;
  node->literal = literal;
  return Expr(std::move(node));
}

bool is_wide_unsigned(const ExprNode& c) { return c.type == Type::uint64 && c.integer < 0; }

double integer_as_real(const ExprNode& c, Type to) {
  if (is_wide_unsigned(c)) return rounded_to(to, static_cast<std::uint64_t>(c.integer));
  return rounded_to(to, c.integer);
}

// Truncates and saturates; NaN gives 0.  2^63 and 2^64 are doubles, the largest integers are not.
std::int64_t real_as_integer(double real, Type to) {
  if (std::isnan(real)) return 0;
  const int value_bits = is_signed_integer(to) ? bits(to) - 1 : bits(to);
  if (real >= std::ldexp(1.0, value_bits)) return largest(to);
  if (real < 0 && !is_signed_integer(to)) return 0;
  if (real <= -std::ldexp(1.0, value_bits)) return smallest(to);
  if (to == Type::uint64) return static_cast<std::int64_t>(static_cast<std::uint64_t>(real));
  return static_cast<std::int64_t>(real);
}

bool integer_fits(const ExprNode& c, Type to) {
  if (is_wide_unsigned(c)) return to == Type::uint64;
  if (c.integer < 0) return is_signed_integer(to) && c.integer >= smallest(to);
  return to == Type::uint64 || c.integer <= largest(to);
}

// True if the float type "to" represents the integer constant "c" exactly.
bool exact_as_real(const ExprNode& c, Type to) {
  const bool negative = c.integer < 0 && !is_wide_unsigned(c);
  const std::uint64_t bits = static_cast<std::uint64_t>(c.integer);
  const std::uint64_t magnitude = negative ? std::uint64_t{0} - bits : bits;
  if (magnitude == 0) return true;
  const int significant = std::bit_width(magnitude >> std::countr_zero(magnitude));
  if (significant > std::numeric_limits<double>::digits) return false;
  const double value = static_cast<double>(magnitude);
  return rounded_to(to, value) == value;
}

bool literal_fits(const ExprNode& c, Type to) {
  if (c.type == Type::boolean || to == Type::boolean) return c.type == to;
  if (is_float(c.type)) return is_float(to);
  return is_float(to) ? exact_as_real(c, to) : integer_fits(c, to);
}

}  // namespace

Type Expr::integer_type(std::size_t size, bool is_signed) {
  switch (size) {
    case 1: return is_signed ? i8 : u8;
    case 2: return is_signed ? i16 : u16;
    case 4: return is_signed ? i32 : u32;
    default: return is_signed ? i64 : u64;
  }
}

Expr Expr::literal(Type type, std::int64_t value) { return typed(type, value, 0, true); }

Expr Expr::real_literal(Type type, double value) { return typed(type, 0, value, true); }

Expr constant(Type type, std::int64_t value) {
  if (is_float(type)) return typed(type, 0, rounded_to(type, value), false);
  return typed(type, wrapped(type, value), 0, false);
}

Expr real_constant(Type type, double value) {
  if (is_float(type)) return typed(type, 0, rounded_to(type, value), false);
  return invalid(Code::E0110_types_do_not_mix,
                 to_string(type) +
                     " is not a float type and has no real constants; "
                     "write constant(" +
                     to_string(type) + ", ..)");
}

Expr settled(const Expr& e) {
  if (e.op() != Op::constant || !e.node().literal) return e;
  return typed(e.type(), e.node().integer, e.node().real, false);
}

Expr converted_constant(const Expr& e, Type to) {
  const ExprNode& c = e.node();
  if (c.type == to) return settled(e);
  if (is_float(c.type)) {
    if (is_float(to)) return typed(to, 0, rounded_to(to, c.real), false);
    if (to == Type::boolean) return typed(to, c.real != 0 ? 1 : 0, 0, false);
    return typed(to, real_as_integer(c.real, to), 0, false);
  }
  if (is_float(to)) return typed(to, 0, integer_as_real(c, to), false);
  return typed(to, wrapped(to, c.integer), 0, false);
}

std::optional<Expr> fitted(const Expr& e, Type to) {
  if (e.op() == Op::constant && e.node().literal) {
    if (!literal_fits(e.node(), to)) return std::nullopt;
    return converted_constant(e, to);
  }
  if (e.type() == to) return e;
  if (!holds_every_value(to, e.type())) return std::nullopt;
  return make_node(Op::cast, to, {e});
}

Expr identity_of(Reduction reduction, Type type) {
  const double infinity = std::numeric_limits<double>::infinity();
  switch (reduction) {
    case Reduction::sum: return constant(type, 0);
    case Reduction::product: return constant(type, 1);
    case Reduction::minimum:
      return is_float(type) ? real_constant(type, infinity) : constant(type, largest(type));
    case Reduction::maximum:
      return is_float(type) ? real_constant(type, -infinity) : constant(type, smallest(type));
    case Reduction::any: return constant(type, 0);
    case Reduction::all: return constant(type, 1);
  }
  return invalid(Code::E0106_bad_argument, "there is no such reduction");
}

}  // namespace strata
