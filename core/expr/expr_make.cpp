// Functions that make expressions, except operators.
#include <algorithm>

#include "core/expr/expr_typing.h"

namespace strata {

namespace {

Expr indexed(Op op, std::string name, Type type, std::vector<Expr> indices, Owner owner = nullptr) {
  for (Expr& index : indices) {
    index = as_index(index, "an index of " + name);
    if (index.op() == Op::invalid) return index;
  }
  return make_node(op, type, std::move(indices), std::move(name), std::move(owner));
}

// The iterators of a reduction, with int64 bounds; "bad" is set to a mistake, if any.
std::vector<Var> reduced(const std::vector<Var>& over, Expr& bad) {
  std::vector<Var> out;
  for (const Var& v : over) {
    if (std::any_of(out.begin(), out.end(), [&](const Var& w) { return w.name() == v.name(); }))
      bad = invalid(Code::E0106_bad_argument, "a reduction names " + v.name() + " twice");
    if (!v.has_range()) {
      out.push_back(v);
      continue;
    }
    const Expr lower = as_index(v.lower(), "the lower bound of " + v.name());
    const Expr upper = as_index(v.upper(), "the upper bound of " + v.name());
    for (const Expr& bound : {lower, upper})
      if (bound.op() == Op::invalid && !bad.defined()) bad = bound;
    out.emplace_back(v.name(), lower, upper);
  }
  return out;
}

Expr reduce(Reduction reduction, const std::vector<Var>& over, const Expr& body) {
  const std::string name = to_string(reduction);
  const bool of_truths = reduction == Reduction::any || reduction == Reduction::all;
  if (auto bad = bad_operand({body}, name)) return *bad;
  if (over.empty())
    return invalid(Code::E0106_bad_argument, name + " needs an iterator to run over");
  const bool truth = body.type() == Type::boolean;
  if (truth && !of_truths)
    return invalid(Code::E0110_types_do_not_mix,
                   name + " takes a number, not boolean; write cast(int32, ..)");
  if (of_truths && !truth)
    return invalid(Code::E0110_types_do_not_mix,
                   name + " takes a boolean, not " + to_string(body.type()) + "; write .. != 0");
  Expr bad;
  ExprNode node;
  node.op = Op::reduce;
  node.reduction = reduction;
  node.variables = reduced(over, bad);
  if (bad.defined()) return bad;
  node.type = body.type();
  node.args = {settled(body)};
  return make_node(std::move(node));
}

}  // namespace

Expr make_node(ExprNode node) {
  node.depth = 1;
  const auto include_depth = [&](const Expr& e) {
    node.depth = std::max(node.depth, e.node().depth + 1);
  };
  for (const Expr& arg : node.args) {
    if (arg.op() == Op::invalid) return arg;
    include_depth(arg);
  }
  for (const Var& v : node.variables) {
    if (!v.has_range()) continue;
    include_depth(v.lower());
    include_depth(v.upper());
  }
  if (node.depth > deepest_expression)
    return invalid(Code::E0117_unsupported_expression,
                   "an expression is nested more than " + std::to_string(deepest_expression) +
                       " deep; write it as several computations, or a long sum as a sum of sums");
  return Expr(std::make_shared<const ExprNode>(std::move(node)));
}

Expr make_node(Op op, Type type, std::vector<Expr> args, std::string name, Owner owner) {
  ExprNode node;
  node.op = op;
  node.type = type;
  node.args = std::move(args);
  node.name = std::move(name);
  node.owner = std::move(owner);
  return make_node(std::move(node));
}

Expr variable(std::string name) { return make_node(Op::variable, i64, {}, std::move(name)); }
Expr parameter(std::string name, Owner owner) {
  return make_node(Op::parameter, i64, {}, std::move(name), std::move(owner));
}
Var::operator Expr() const { return variable(name_); }
Param::operator Expr() const { return parameter(name_, owner_); }

Expr access(std::string name, Type type, std::vector<Expr> indices, Owner owner) {
  return indexed(Op::access, std::move(name), type, std::move(indices), std::move(owner));
}

Expr load(std::string buffer, Type type, std::vector<Expr> indices) {
  return indexed(Op::load, std::move(buffer), type, std::move(indices));
}

Expr checked(std::string what, Expr index, Expr lower, Expr upper) {
  return indexed(Op::checked, std::move(what), i64,
                 {std::move(index), std::move(lower), std::move(upper)});
}

Expr array_argument(std::string name, Type type, Owner owner) {
  return make_node(Op::array, type, {}, std::move(name), std::move(owner));
}

Expr array_argument(std::string buffer, Type type, std::vector<Expr> places,
                    std::vector<Expr> lowers, std::vector<Expr> extents) {
  std::vector<Expr> args = std::move(places);
  for (const auto* numbers : {&lowers, &extents})
    for (const Expr& number : *numbers) args.push_back(as_index(number, "a size of " + buffer));
  return make_node(Op::array, type, std::move(args), std::move(buffer));
}

Expr invalid(Code code, std::string explanation) {
  auto node = std::make_shared<ExprNode>();
  node->op = Op::invalid;
  node->code = code;
  node->name = std::move(explanation);
  return Expr(std::move(node));
}

Expr cast(Type type, Expr e) {
  if (auto bad = bad_operand({e}, "cast")) return *bad;
  if (e.op() == Op::constant && e.node().literal) return converted_constant(e, type);
  return e.type() == type ? e : make_node(Op::cast, type, {std::move(e)});
}

Expr both(const Expr& a, const Expr& b) { return !a.defined() ? b : !b.defined() ? a : a && b; }

Expr select(Expr condition, Expr then, Expr otherwise) {
  if (auto bad = bad_operand({condition, then, otherwise}, "select")) return *bad;
  if (condition.type() != Type::boolean)
    return invalid(Code::E0110_types_do_not_mix, "the condition of select is a boolean, not " +
                                                     to_string(condition.type()) +
                                                     "; write .. != 0");
  const auto type = mixed_type(then, otherwise);
  if (!type) return invalid(Code::E0110_types_do_not_mix, cannot_mix(then, otherwise));
  return make_node(Op::select, *type,
                   {settled(condition), *fitted(then, *type), *fitted(otherwise, *type)});
}

Expr clamp(Expr e, Expr lowest, Expr highest) {
  return make(Op::min, {make(Op::max, {std::move(e), std::move(lowest)}), std::move(highest)});
}

Expr let(std::string name, Expr e) {
  if (auto bad = bad_operand({e}, name)) return *bad;
  const Type type = e.type();
  return make_node(Op::named, type, {settled(e)}, std::move(name));
}

Expr call(Type type, std::string name, std::vector<Expr> args) {
  if (auto bad = bad_argument(args, name)) return *bad;
  std::transform(args.begin(), args.end(), args.begin(), settled);
  return make_node(Op::call, type, std::move(args), std::move(name));
}

Expr sum(std::vector<Var> over, Expr body) { return reduce(Reduction::sum, over, body); }
Expr product(std::vector<Var> over, Expr body) { return reduce(Reduction::product, over, body); }
Expr minimum(std::vector<Var> over, Expr body) { return reduce(Reduction::minimum, over, body); }
Expr maximum(std::vector<Var> over, Expr body) { return reduce(Reduction::maximum, over, body); }

Expr any(std::vector<Var> over, Expr body) { return reduce(Reduction::any, over, body); }
Expr all(std::vector<Var> over, Expr body) { return reduce(Reduction::all, over, body); }

Expr combine(Reduction reduction, Expr a, Expr b) {
  static constexpr Op steps[] = {Op::add, Op::mul,        Op::min,
                                 Op::max, Op::logical_or, Op::logical_and};
  return make(steps[static_cast<std::size_t>(reduction)], {std::move(a), std::move(b)});
}

}  // namespace strata
