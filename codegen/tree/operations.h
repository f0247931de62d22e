// What the statements of a loop tree compute and load.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata {

// The arithmetic operations of one execution, each shared part once, without loads and indices.
double arithmetic(const Execute& execute);

// Calls "visitor" on each node of the values of a statement, indices of loads included.
void visit_values(const Execute& execute, const std::function<void(const Expr&)>& visitor);
// The distinct loads of the values of a statement, those inside indices included.
std::vector<Expr> loads_of(const Execute& execute);

bool depends_on(const Expr& e, const std::string& variable);
bool depends_on(const std::vector<Expr>& list, const std::string& variable);
bool depends_on_data(const Expr& e);

// 1 / c for a quotient a / c of float32 or float64 by a constant, if it is a normal number of the
// type.
std::optional<double> inverse_of_divisor(const Expr& quotient);

// Is it a function of the C library, or of the author's?
bool is_c_function(Op op);

}  // namespace strata
