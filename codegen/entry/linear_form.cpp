#include "codegen/entry/linear_form.h"

#include <algorithm>

#include "core/expr/linear_terms.h"

namespace strata {

namespace {

// Wraps like the arithmetic it represents.
std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t times(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

void add_atom(LinearForm& sum, const Expr& atom, std::int64_t factor) {
  const auto found = std::find_if(sum.terms.begin(), sum.terms.end(),
                                  [&](const auto& term) { return same(term.atom, atom); });
  if (found == sum.terms.end()) {
    sum.terms.push_back({atom, factor});
    return;
  }
  found->factor = plus(found->factor, factor);
  if (found->factor == 0) sum.terms.erase(found);
}

}  // namespace

LinearForm linear_form(const Expr& e) {
  LinearForm sum;
  for (const LinearTerm& term : linear_terms(e, 1, terms_of_sum)) {
    const std::int64_t factor = static_cast<std::int64_t>(term.factor);
    if (term.e.op() == Op::constant)
      sum.constant = plus(sum.constant, times(term.e.node().integer, factor));
    else
      add_atom(sum, term.e, factor);
  }
  return sum;
}

Expr expression(const LinearForm& form) {
  Expr sum = constant(i64, form.constant);
  for (const LinearForm::Term& term : form.terms) sum = sum + term.factor * term.atom;
  return sum;
}

std::int64_t taken_out(LinearForm& form, const std::string& variable) {
  const auto found =
      std::find_if(form.terms.begin(), form.terms.end(), [&](const LinearForm::Term& term) {
        return term.atom.op() == Op::variable && term.atom.name() == variable;
      });
  if (found == form.terms.end()) return 0;
  const std::int64_t factor = found->factor;
  form.terms.erase(found);
  return factor;
}

std::int64_t multiples(const LinearForm& form, const Expr& index,
                       const std::set<std::string>& iterators) {
  for (const LinearForm::Term& term : linear_form(index).terms) {
    if (term.atom.op() != Op::variable || !iterators.count(term.atom.name())) continue;
    LinearForm rest = form;
    const std::int64_t factor = taken_out(rest, term.atom.name());
    if (factor != 0 && factor % term.factor == 0) return factor / term.factor;
  }
  return 0;
}

}  // namespace strata
