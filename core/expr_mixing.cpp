// Where two types meet, and what is said where they do not.
#include "core/expr_typing.h"

namespace strata {

namespace {

bool is_literal(const Expr& e) { return e.op() == Op::constant && e.node().literal; }

// The type to cast to, so that both can mix: one that holds both where there is one, else the
// widest of the more general kind.
Type suggested_type(Type a, Type b) {
  if (a == Type::boolean) return b;
  if (b == Type::boolean) return a;
  if (is_float(a) && is_float(b)) return f32;
  if (is_float(a)) return a;
  if (is_float(b)) return b;
  for (Type t : {i16, i32, i64})
    if (holds_every_value(t, a) && holds_every_value(t, b)) return t;
  return i64;
}

std::string integer_text(const ExprNode& c) {
  return c.type == Type::uint64 ? std::to_string(static_cast<std::uint64_t>(c.integer))
                                : std::to_string(c.integer);
}

// A literal integer whose partner cannot represent it, though their kinds agree.
std::string does_not_fit(const Expr& literal, const Expr& partner) {
  const std::string value = integer_text(literal.node()), type = to_string(partner.type());
  if (is_float(partner.type()))
    return value + " has no exact " + type + "; write cast(" + type + ", " + value +
           ") to round it";
  return value + " is no " + type + "; write cast(" +
         to_string(suggested_type(literal.type(), partner.type())) + ", ..) around the " + type;
}

}  // namespace

std::optional<Type> mixed_type(const Expr& a, const Expr& b) {
  if (is_literal(a) != is_literal(b)) {
    const Expr &literal = is_literal(a) ? a : b, &partner = is_literal(a) ? b : a;
    return fitted(literal, partner.type()) ? std::optional(partner.type()) : std::nullopt;
  }
  if (auto common = common_type(a.type(), b.type())) return common;
  if (!is_literal(a)) return std::nullopt;
  // Two literals: either order gives the same, a signed type before an unsigned one.
  const bool a_first = is_signed_integer(a.type());
  const Expr &first = a_first ? a : b, &second = a_first ? b : a;
  if (fitted(second, first.type())) return first.type();
  return fitted(first, second.type()) ? std::optional(second.type()) : std::nullopt;
}

std::string cannot_mix(const Expr& a, const Expr& b) {
  const bool one_literal = is_literal(a) != is_literal(b);
  const Expr &literal = is_literal(a) ? a : b, &partner = is_literal(a) ? b : a;
  if (one_literal && is_integer(literal.type()) && partner.type() != Type::boolean)
    return does_not_fit(literal, partner);
  return to_string(a.type()) + " and " + to_string(b.type()) + " do not mix; write cast(" +
         to_string(suggested_type(a.type(), b.type())) + ", ..)";
}

Expr as_index(const Expr& e, const std::string& what) {
  if (auto bad = bad_operand({e}, what)) return *bad;
  if (auto fit = fitted(e, i64)) return *fit;
  if (is_integer(e.type()))
    return invalid(Code::E0110_types_do_not_mix, what + " is an int64, and " + to_string(e.type()) +
                                                     " does not fit it; write cast(int64, ..)");
  return invalid(Code::E0110_types_do_not_mix,
                 what + " is an integer, not " + to_string(e.type()) + "; write cast(int64, ..)");
}

std::optional<Expr> bad_operand(const std::vector<Expr>& args, std::string_view operation) {
  for (const Expr& e : args) {
    if (!e.defined())
      return invalid(Code::E0106_bad_argument, "an operand of " + std::string(operation) +
                                                   " is an Expr that nothing was assigned to");
    if (e.op() == Op::invalid) return e;
    if (e.op() == Op::array)
      return invalid(Code::E0110_types_do_not_mix, e.name() + " is a whole array, which " +
                                                       std::string(operation) +
                                                       " does not take; give it indices");
  }
  return std::nullopt;
}

std::optional<Expr> bad_argument(const std::vector<Expr>& args, std::string_view function) {
  for (const Expr& e : args)
    if (!e.defined() || e.op() != Op::array)
      if (auto bad = bad_operand({e}, function)) return bad;
  return std::nullopt;
}

}  // namespace strata
