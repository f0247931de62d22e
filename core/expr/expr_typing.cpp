// Operand and result types of operations.
#include "core/expr/expr_typing.h"

namespace strata {

namespace {

// What an operation requires of the type of its operands.
enum class Demand { any, number, integer, floating, truth };

Demand demand_of(Op op) {
  switch (op) {
    case Op::eq:
    case Op::ne: return Demand::any;
    case Op::mod:
    case Op::bit_not:
    case Op::shift_left:
    case Op::shift_right:
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor: return Demand::integer;
    case Op::logical_not:
    case Op::logical_and:
    case Op::logical_or: return Demand::truth;
    case Op::pow:
    case Op::atan2: return Demand::floating;
    default: return Op::sqrt <= op && op <= Op::erf ? Demand::floating : Demand::number;
  }
}

bool meets(Type type, Demand demand) {
  switch (demand) {
    case Demand::any: return true;
    case Demand::number: return type != Type::boolean;
    case Demand::integer: return is_integer(type);
    case Demand::floating: return is_float(type);
    case Demand::truth: return type == Type::boolean;
  }
  return false;
}

bool is_rounding(Op op) { return Op::floor <= op && op <= Op::trunc; }

bool gives_truth(Op op) {
  return op == Op::logical_not || op == Op::logical_and || op == Op::logical_or ||
         (Op::eq <= op && op <= Op::ge);
}

std::string spelled(Op op) {
  if (op == Op::negate) return "-";
  if (op == Op::logical_not) return "!";
  if (op == Op::bit_not) return "~";
  const std::string_view infix = infix_symbol(op);
  return infix.empty() ? to_string(op) : std::string(infix);
}

std::string how_to_mend(Op op, Type type, Demand demand) {
  switch (demand) {
    case Demand::integer:
      if (op == Op::mod) return "write x - y * floor(x / y)";
      if (type == Type::boolean && is_binary(op)) return "write &&, || or !=";
      if (type == Type::boolean) return "write !";
      return "write cast(int32, ..)";
    case Demand::floating:
      return "write " + to_string(op) + "(cast(float32, ..)" + (is_binary(op) ? ", ..)" : ")");
    case Demand::truth: return "write .. != 0";
    default: return "write cast(int32, ..)";
  }
}

Expr unmet(Op op, Type type, Demand demand) {
  static constexpr std::string_view kinds[] = {"any type", "a number", "an integer", "a float",
                                               "a boolean"};
  return invalid(Code::E0110_types_do_not_mix,
                 spelled(op) + " takes " + std::string(kinds[static_cast<int>(demand)]) + ", not " +
                     to_string(type) + "; " + how_to_mend(op, type, demand));
}

Expr make_unary(Op op, const Expr& a) {
  const Demand demand = demand_of(op);
  if (!meets(a.type(), demand)) return unmet(op, a.type(), demand);
  if (is_rounding(op) && is_integer(a.type())) return settled(a);
  return make_node(op, a.type(), {settled(a)});
}

// The left operand alone decides the type of a shift, unless it is a literal.
std::optional<Type> shifted_type(const Expr& a, const Expr& b) {
  const auto is_literal = [](const Expr& e) { return e.op() == Op::constant && e.node().literal; };
  if (is_literal(a)) return mixed_type(a, b);
  return fitted(b, a.type()) ? std::optional(a.type()) : std::nullopt;
}

Expr make_binary(Op op, const Expr& a, const Expr& b) {
  const Demand demand = demand_of(op);
  const bool shift = op == Op::shift_left || op == Op::shift_right;
  const std::optional<Type> type = shift ? shifted_type(a, b) : mixed_type(a, b);
  if (!type) return invalid(Code::E0110_types_do_not_mix, cannot_mix(a, b));
  if (!meets(*type, demand)) return unmet(op, *type, demand);
  return make_node(op, gives_truth(op) ? Type::boolean : *type,
                   {*fitted(a, *type), *fitted(b, *type)});
}

}  // namespace

Expr make(Op op, std::vector<Expr> args) {
  if (op == Op::select && args.size() == 3) return select(args[0], args[1], args[2]);
  if (!is_unary(op) && !is_binary(op))
    return invalid(Code::E0106_bad_argument,
                   "make takes a unary or binary operation or select, not " + to_string(op));
  const std::size_t arity = is_unary(op) ? 1 : 2;
  if (args.size() != arity)
    return invalid(Code::E0109_wrong_arity,
                   spelled(op) + " takes " + std::to_string(arity) +
                       (arity == 1 ? " operand, not " : " operands, not ") +
                       std::to_string(args.size()));
  if (auto bad = bad_operand(args, spelled(op))) return *bad;
  return arity == 1 ? make_unary(op, args[0]) : make_binary(op, args[0], args[1]);
}

Expr with_args(const Expr& e, std::vector<Expr> args) {
  const auto bad_one = e.op() == Op::call ? bad_argument : bad_operand;
  if (auto bad = bad_one(args, to_string(e.op()))) return *bad;
  if (args.size() != e.args().size())
    return invalid(Code::E0109_wrong_arity, to_string(e.op()) + " takes " +
                                                std::to_string(e.args().size()) +
                                                " operands, not " + std::to_string(args.size()));
  for (std::size_t i = 0; i < args.size(); ++i) {
    auto fit = fitted(args[i], e.args()[i].type());
    if (!fit) return invalid(Code::E0110_types_do_not_mix, cannot_mix(args[i], e.args()[i]));
    args[i] = *fit;
  }
  ExprNode node = e.node();
  node.args = std::move(args);
  return make_node(std::move(node));
}

}  // namespace strata
