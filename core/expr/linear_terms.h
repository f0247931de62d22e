// Terms of linear combinations, collected in time linear in the nodes of the dag, not in its paths.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/expr/expr.h"

namespace strata {

// factor * e, modulo 2^64.
struct LinearTerm {
  Expr e;
  std::uint64_t factor;
};

// The terms whose sum a node is; none for an atom, which is not split further.
using TermsOf = std::function<std::vector<LinearTerm>(const Expr&)>;

// factor * e as a linear combination of atoms, from left to right: one term per use of an atom in a
// sum, none with the factor 0. Sets "wrapped" if a factor differs from its value in Z.
std::vector<LinearTerm> linear_terms(const Expr& e, std::uint64_t factor, const TermsOf& terms_of,
                                     bool* wrapped = nullptr);

// The terms of a sum, a difference, a negation, or a product with a constant.
std::vector<LinearTerm> terms_of_sum(const Expr& e);

}  // namespace strata
