// For code that makes expressions: how operands get the type that an operation requires.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr/expr.h"

namespace strata {

// Deeper trees are refused, since all traversals of expressions, ours and Halide's, are recursive.
inline constexpr int deepest_expression = 1000;

// A node as given, without type checks; invalid if it is too deep.
Expr make_node(ExprNode node);
Expr make_node(Op op, Type type, std::vector<Expr> args, std::string name = "",
               Owner owner = nullptr);

// Fixes the type of a C++ number: it no longer adapts to a partner.
Expr settled(const Expr& e);

// The constant "e" in another type, with the meaning of a cast: integers wrap, floats round, a
// float becomes an integer by truncation and saturation, and a boolean is "e is not zero".
Expr converted_constant(const Expr& e, Type to);

// "e" as a value of type "to", if that preserves its value: a literal that "to" can represent (a
// float literal rounds to any float type), or an expression of a type whose values "to" holds.
std::optional<Expr> fitted(const Expr& e, Type to);

// The common type of a and b; or the explanation if there is none.
std::optional<Type> mixed_type(const Expr& a, const Expr& b);
std::string cannot_mix(const Expr& a, const Expr& b);

// "e" as an index: of type int64, or invalid. "what" describes its use: "an index of in".
Expr as_index(const Expr& e, const std::string& what);

// If an operand is undefined, invalid or an array: the first one, as the invalid expression to
// inherit.
std::optional<Expr> bad_operand(const std::vector<Expr>& args, std::string_view operation);
// The same for a call, which takes arrays.
std::optional<Expr> bad_argument(const std::vector<Expr>& args, std::string_view function);

// "+" for add; empty for an operation without an infix symbol.
std::string_view infix_symbol(Op op);
bool is_unary(Op op);
bool is_binary(Op op);

}  // namespace strata
