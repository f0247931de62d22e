// For the makers of expressions: how an operand gets the type that an operation asks of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr/expr.h"

namespace strata {

// Deeper trees are refused: every walk over expressions, ours and Halide's, recurses.
inline constexpr int deepest_expression = 1000;

// A node as given, without a look at types; invalid if it stands too high above its leaves.
Expr make_node(ExprNode node);
Expr make_node(Op op, Type type, std::vector<Expr> args, std::string name = "",
               Owner owner = nullptr);

// A C++ number keeps the type it has got: it adapts to no later partner.
Expr settled(const Expr& e);

// The constant "e" in another type, by the meaning of a cast: integers wrap, floats round, a float
// becomes an integer by truncation and saturation, and a boolean is "e is not zero".
Expr converted_constant(const Expr& e, Type to);

// "e" as a value of type "to", if that changes no value: a literal that "to" can represent (a
// float literal rounds to any float type), or an expression whose type "to" holds.
std::optional<Expr> fitted(const Expr& e, Type to);

// The type in which a and b meet, and the explanation where there is none.
std::optional<Type> mixed_type(const Expr& a, const Expr& b);
std::string cannot_mix(const Expr& a, const Expr& b);

// "e" as an index: of type int64, or invalid.  "what" is what the index is for: "an index of in".
Expr as_index(const Expr& e, const std::string& what);

// The first operand that is undefined, invalid or an array, as the invalid expression to inherit.
std::optional<Expr> bad_operand(const std::vector<Expr>& args, std::string_view operation);
// Of a call, which takes arrays.
std::optional<Expr> bad_argument(const std::vector<Expr>& args, std::string_view function);

// "+" for add; empty for an operation that is not written between its operands.
std::string_view infix_symbol(Op op);
bool is_unary(Op op);
bool is_binary(Op op);

}  // namespace strata
