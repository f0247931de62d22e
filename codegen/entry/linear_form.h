// Integer expressions as sums of multiples.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/expr/expr.h"

namespace strata {

// constant + sum_t factor_t * atom_t. An atom is neither a sum nor a multiple by a constant, and no
// two atoms are the same expression.
struct LinearForm {
  struct Term {
    Expr atom;
    std::int64_t factor;
  };
  std::int64_t constant = 0;
  std::vector<Term> terms;
};

// "e" modulo 2^64.
LinearForm linear_form(const Expr& e);
Expr expression(const LinearForm& form);

// Removes the iterator "variable" from the form, and returns its factor.
std::int64_t taken_out(LinearForm& form, const std::string& variable);

// The f for which form - f * index no longer contains some iterator of the list that both contain;
// 0 if there is no such f.
std::int64_t multiples(const LinearForm& form, const Expr& index,
                       const std::set<std::string>& iterators);

}  // namespace strata
