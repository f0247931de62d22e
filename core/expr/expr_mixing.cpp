// Common types of two operands, and the explanations if there are none.
#include "core/expr/expr_text.h"
#include "core/expr/expr_typing.h"

namespace strata {

namespace {

bool is_literal(const Expr& e) { return e.op() == Op::constant && e.node().literal; }

// The type to cast to, so that both mix: one that holds both if there is one, else the widest of
// the more general kind.
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

// The expression as text, or "" if that is long: it must be easy to find in a line of a program.
std::string short_text(const Expr& e) {
  constexpr int deepest = 5;
  constexpr std::size_t longest = 40;
  if (e.node().depth > deepest) return "";
  const std::string text = to_text(e);
  return text.size() > longest ? "" : text;
}

// "x[i]"; for a long expression "x[..]" or "the result of *".
std::string called(const Expr& e) {
  if (const std::string text = short_text(e); !text.empty()) return text;
  if (e.op() == Op::access) return e.name() + "[..]";
  const std::string_view infix = infix_symbol(e.op());
  return "the result of " + (infix.empty() ? to_string(e.op()) : std::string(infix));
}

std::string with_type(const Expr& e) { return called(e) + " is " + to_string(e.type()); }

std::string cast_of(const Expr& e, Type type) {
  const std::string text = short_text(e);
  return "cast(" + to_string(type) + ", " + (text.empty() ? ".." : text) + ")";
}

std::string integer_text(const ExprNode& c) {
  return c.type == Type::uint64 ? std::to_string(static_cast<std::uint64_t>(c.integer))
                                : std::to_string(c.integer);
}

// A literal integer that its partner cannot represent, although their kinds agree.
std::string does_not_fit(const Expr& literal, const Expr& partner) {
  const std::string value = integer_text(literal.node()), type = to_string(partner.type());
  if (is_float(partner.type()))
    return value + " cannot be represented exactly in " + type + "; write cast(" + type + ", " +
           value + ") to round it";
  const std::string text = short_text(partner);
  const Type both = suggested_type(literal.type(), partner.type());
  return value + " does not fit in " + type + (text.empty() ? "" : ", the type of " + text) +
         "; write " +
         (both == partner.type() ? "cast(" + type + ", " + value + ")" : cast_of(partner, both));
}

// The operand to cast to "type": the one of another type or, if both are, one whose values "type"
// does not hold.
const Expr& to_be_cast(const Expr& a, const Expr& b, Type type) {
  if (a.type() == type) return b;
  return b.type() == type || !holds_every_value(type, a.type()) || holds_every_value(type, b.type())
             ? a
             : b;
}

}  // namespace

std::optional<Type> mixed_type(const Expr& a, const Expr& b) {
  if (is_literal(a) != is_literal(b)) {
    const Expr &literal = is_literal(a) ? a : b, &partner = is_literal(a) ? b : a;
    return fitted(literal, partner.type()) ? std::optional(partner.type()) : std::nullopt;
  }
  if (auto common = common_type(a.type(), b.type())) return common;
  if (!is_literal(a)) return std::nullopt;
  // Two literals: independent of their order, a signed type comes before an unsigned one.
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
  const Type type = suggested_type(a.type(), b.type());
  return with_type(a) + " and " + with_type(b) + ", which do not mix; write " +
         cast_of(to_be_cast(a, b, type), type);
}

Expr as_index(const Expr& e, const std::string& what) {
  if (auto bad = bad_operand({e}, what)) return *bad;
  if (auto fit = fitted(e, i64)) return *fit;
  const std::string mend = "; write " + cast_of(e, i64);
  if (is_integer(e.type()))
    return invalid(Code::E0110_types_do_not_mix,
                   what + " must be int64, but " + with_type(e) + mend);
  return invalid(Code::E0110_types_do_not_mix,
                 what + " is an integer, and " + with_type(e) + mend +
                     (is_float(e.type()) ? ", which rounds towards 0" : ""));
}

std::optional<Expr> bad_operand(const std::vector<Expr>& args, std::string_view operation) {
  for (const Expr& e : args) {
    if (!e.defined())
      return invalid(Code::E0106_bad_argument,
                     "an operand of " + std::string(operation) + " is an undefined Expr");
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
