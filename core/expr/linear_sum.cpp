#include "core/expr/linear_sum.h"

#include <algorithm>

namespace strata {

namespace {

using Word = LinearSum::Word;

Expr multiple(const Expr& term, Word coefficient) {
  return coefficient == 1 ? term : make(Op::mul, {word_constant(coefficient), term});
}

}  // namespace

Expr word_constant(Word value) { return constant(i64, std::int64_t(value)); }
bool is_negative_word(Word value) { return std::int64_t(value) < 0; }

Word LinearSum::plus(Word a, Word b) {
  std::int64_t sum = 0;
  wrapped |= __builtin_add_overflow(std::int64_t(a), std::int64_t(b), &sum);
  return Word(sum);
}

Word LinearSum::times(Word a, Word b) {
  std::int64_t product = 0;
  wrapped |= __builtin_mul_overflow(std::int64_t(a), std::int64_t(b), &product);
  return Word(product);
}

void LinearSum::add(const Expr& term, Word coefficient) {
  auto known =
      std::find_if(terms.begin(), terms.end(), [&](const auto& t) { return same(t.first, term); });
  if (known == terms.end())
    terms.emplace_back(term, coefficient);
  else if ((known->second = plus(known->second, coefficient)) == 0)
    terms.erase(known);
}

void LinearSum::gather(const Expr& e, Word factor, const TermsOf& terms_of) {
  for (const LinearTerm& term : linear_terms(e, factor, terms_of, &wrapped)) {
    if (term.e.op() == Op::constant && term.e.type() == i64)
      constant = plus(constant, times(term.factor, Word(term.e.node().integer)));
    else
      add(term.e, term.factor);
  }
}

Expr expression(LinearSum sum) {
  auto& terms = sum.terms;
  if (terms.empty()) return word_constant(sum.constant);
  auto positive = std::find_if(terms.begin(), terms.end(),
                               [](const auto& t) { return !is_negative_word(t.second); });
  if (positive != terms.end()) std::rotate(terms.begin(), positive, positive + 1);
  const bool constant_first =
      positive == terms.end() && !is_negative_word(sum.constant) && sum.constant;
  Expr result = constant_first ? word_constant(sum.constant) : Expr();
  auto add = [&](const Expr& e, bool subtracted) {
    result = result.defined() ? make(subtracted ? Op::sub : Op::add, {result, e}) : e;
  };
  for (const auto& [term, coefficient] : terms) {
    const bool subtracted = is_negative_word(coefficient) && result.defined();
    add(multiple(term, subtracted ? Word(0) - coefficient : coefficient), subtracted);
  }
  if (sum.constant && !constant_first)
    add(word_constant(is_negative_word(sum.constant) ? Word(0) - sum.constant : sum.constant),
        is_negative_word(sum.constant));
  return result;
}

}  // namespace strata
