// Sums of multiples, of which a walk along every path would meet a shared part again and again.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/expr/expr.h"

namespace strata {

// factor * e, in arithmetic that wraps at 64 bits
struct LinearTerm {
  Expr e;
  std::uint64_t factor;
};

// The terms of which a node is the sum; none for one that is taken as a whole.
using TermsOf = std::function<std::vector<LinearTerm>(const Expr&)>;

// "e" as a sum of wholes, in the order of a walk from the left: one for each use of a whole in a
// sum, none with the factor 0.  Tells "wrapped" where a factor is not what it is in Z.
std::vector<LinearTerm> linear_terms(const Expr& e, std::uint64_t factor, const TermsOf& terms_of,
                                     bool* wrapped = nullptr);

// The terms of a sum, a difference, a negation, or a product with a constant.
std::vector<LinearTerm> terms_of_sum(const Expr& e);

}  // namespace strata
