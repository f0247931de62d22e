// Dims: the extents of tensors, and what is known about them.
//
// A dim is an int64 Expr over symbols, which are parameters without an owner: Param n("n"). Two
// symbols of one name are the same number. Operations are + - * / % min max abs of integers; "/"
// and "%" round towards minus infinity (core/expr/expr.h). Values are exact integers; computing one
// beyond int64 is an error.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/expr.h"

namespace strata::graph {

// Why "e" cannot be a dim: the end of a sentence that begins with its name. Empty if it can.
std::string why_no_dim(const Expr& e);

// A polynomial over atoms, its monomials in a fixed order, the constant last. Atoms are symbols,
// and the quotients, remainders, minima and maxima of normal operands that no rule simplifies:
//     4 * n, n * 4 -> 4 * n            n + m - m -> n          (n * m) * 2 -> 2 * m * n
//     (4 * n + 6) / 4 -> n + 1         (n / 2) / 3 -> n / 6    n % 4 -> n - 4 * (n / 4)
//     max(n, n - 1) -> n
// Where a coefficient would not fit int64, the operation stays as it is.
Expr normal(const Expr& dim);
// The text of the normal form. Two texts are equal exactly if the normal forms are.
std::string dim_text(const Expr& dim);
// The q for which a = q b, where b is a product of a number and symbols; nothing if there is none.
std::optional<Expr> exact_quotient(const Expr& a, const Expr& b);
// The value of the normal form, if it is a number.
std::optional<std::int64_t> constant_dim(const Expr& dim);

enum class Answer { no, yes, unknown };

// Are two dims equal for all values of the symbols for which the facts hold (yes), or for none
// (no)? Yes if the normal forms agree, or isl finds { a != b } empty; no if it finds { a = b }
// empty. Facts are boolean Exprs over symbols, such as n >= 0 or n % 2 == 0.
Answer equal(const Expr& a, const Expr& b, const std::vector<Expr>& facts = {});

using SymbolValues = std::map<std::string, std::int64_t>;

// The value of a dim; nothing if a symbol has none, or a result is beyond int64.
std::optional<std::int64_t> value_of(const Expr& dim, const SymbolValues& symbols);

// Does a comparison of dims hold?  Nothing as for value_of.
std::optional<bool> holds(const Expr& comparison, const SymbolValues& symbols);

// The symbols of an expression, in the order of their first occurrence.
std::vector<std::string> symbols_of(const Expr& e);
// The expression with f(name) for each symbol. If f returns an undefined Expr, the symbol stays.
Expr with_symbols(const Expr& e, const std::function<Expr(const std::string&)>& f);

}  // namespace strata::graph
