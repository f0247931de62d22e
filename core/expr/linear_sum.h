// Linear combinations: collecting their terms, and writing them as an expression again.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/expr/linear_terms.h"

namespace strata {

// constant + sum of coefficient * term, modulo 2^64; also in Z, unless a coefficient has wrapped.
struct LinearSum {
  using Word = std::uint64_t;  // wraps, like int64 in Strata

  Word constant = 0;
  std::vector<std::pair<Expr, Word>> terms;
  bool wrapped = false;

  void add(const Expr& term, Word coefficient);

  // Adds factor * e, modulo 2^64, for any e:
  //     f (a + b) = f a + f b      f (a - b) = f a - f b      f (-a) = -f a      f (c a) = (f c) a
  void gather(const Expr& e, Word factor, const TermsOf& terms_of);

 private:
  Word plus(Word a, Word b);
  Word times(Word a, Word b);
};

// The sum as an expression. Terms keep their order, except that the first one with a positive
// coefficient, if any, leads.
Expr expression(LinearSum sum);

Expr word_constant(LinearSum::Word value);
bool is_negative_word(LinearSum::Word value);

}  // namespace strata
