// Expressions as text that parses back to the same tree.
//
//   text        {"let" "@" number "=" expression ";"} expression
//
// Operators, their precedence and left associativity are those of C++; parentheses are printed only
// where necessary.
//
//   expression  operand {operator operand}       || && | ^ & == != < <= > >= << >> + - * / %
//   operand     "-" operand | "!" operand | "~" operand | primary
//   primary     "(" expression ")"
//             | constant
//             | name                                    an iterator, or else a parameter
//             | "$" name                                a parameter shadowed by an iterator
//             | "%" name                                an iterator of a reduction further inside
//             | "@" number                              a part named earlier in the text
//             | name "[" expressions "]"                an access
//             | "load" type name "[" expressions "]"    a load from a buffer
//             | "checked" name "(" expressions ")"      an index and its two bounds
//             | "array" type name "(" [expressions] ")" a whole array, as an argument of a call
//             | "call" type name "(" expressions ")"    a call of a C function
//             | "(" name ":=" expression ")"            a named value
//             | "cast" "(" type "," expression ")"
//             | "select" "(" expression "," expression "," expression ")"
//             | reduction "(" iterators ":" expression ")"
//             | function "(" expressions ")"            sqrt, min, atan2, ..: to_string(Op)
//             | "invalid" "(" code "," string ")"
//   reduction   "sum" | "product" | "minimum" | "maximum" | "any" | "all"
//   iterators   iterator {"," iterator},  iterator: name ["in" "[" expression "," expression ")"]
//   constant    ["-"] digits                          int64
//             | ["-"] digits ("u8" .. "u64" | "i8" .. "i32")
//             | ["-"] decimal                         float64, recognized by "." or exponent
//             | ["-"] decimal ("f16" | "bf16" | "f32")
//             | ["-"] "inf" | "nan",  ["-"] "inf_f32" | "nan_f32" and so on
//             | "true" | "false"
//   type        to_string(Type): int64, float32, ..
//
// Words are keywords only by position ("in[i]" is an access), except "load", "checked", "array",
// "call" and the constants that are words; an iterator or parameter with such a name, and every
// name with unusual characters, is written in backquotes.
// A minus before a constant belongs to it; the negation of the constant 1 is -(1).
// A small shared part is repeated wherever it is used, a large one is named
// (core/expr/expr_shared.h). Text with more than a thousand nested parentheses is refused.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/expr/expr.h"
#include "core/text_scanner.h"

namespace strata {

std::string to_text(const Expr& e);

// What a parser needs to know about the names in a text.
struct ExprNames {
  // The type of an input or computation, or nothing if there is none of that name.
  std::function<std::optional<Type>(const std::string&)> type_of;
  std::set<std::string> parameters;
};

// Parses an expression. Throws E0108 with line and column if the text cannot be read, and the
// mistake's own code with line and column if its types do not mix.
Expr parse_expr(std::string_view text, const ExprNames& names);
// Parses the longest expression at the scanner's position.
Expr parse_expr(TextScanner& scanner, const ExprNames& names);

// A constant as in the grammar; the type's suffix is "" for int64 and float64.
std::string constant_text(const Expr& constant);
// The constant written as a number token with an optional minus, or nothing.
std::optional<Expr> constant_from_text(const std::string& number);

}  // namespace strata
