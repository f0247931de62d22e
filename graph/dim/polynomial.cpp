#include "graph/dim/polynomial.h"

#include "core/expr/expr_text.h"

namespace strata::graph {

namespace {

constexpr std::size_t most_terms = 64;

// Adds coefficient * m; false if the sum does not fit.
bool add_term(Polynomial& to, const Monomial& m, std::int64_t coefficient) {
  std::int64_t& there = to.terms[m];
  if (__builtin_add_overflow(there, coefficient, &there)) return false;
  if (there == 0) to.terms.erase(m);
  return to.terms.size() <= most_terms;
}

Monomial merged(const Monomial& a, const Monomial& b) {
  Monomial both;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

// factor * a * b * ..
Expr product_of(const Polynomial& p, const Monomial& m, std::int64_t factor) {
  Expr result;
  if (m.empty() || factor != 1) result = constant(i64, factor);
  for (const std::string& text : m)
    result = result.defined() ? result * p.atoms.at(text) : p.atoms.at(text);
  return result;
}

}  // namespace

Polynomial Polynomial::constant(std::int64_t value) {
  Polynomial p;
  if (value != 0) p.terms[{}] = value;
  return p;
}

Polynomial Polynomial::atom(const Expr& value) {
  Polynomial p;
  const std::string text = to_text(value);
  p.atoms.emplace(text, value);
  p.terms[{text}] = 1;
  return p;
}

std::optional<std::int64_t> Polynomial::as_constant() const {
  if (terms.empty()) return 0;
  if (terms.size() == 1 && terms.begin()->first.empty()) return terms.begin()->second;
  return std::nullopt;
}

const Expr* Polynomial::as_atom() const {
  if (terms.size() != 1) return nullptr;
  const auto& [m, coefficient] = *terms.begin();
  return m.size() == 1 && coefficient == 1 ? &atoms.at(m[0]) : nullptr;
}

Expr Polynomial::expr() const {
  Expr result;
  for (const auto& [m, coefficient] : terms) {
    const bool subtracted = result.defined() && coefficient < 0 && coefficient != INT64_MIN;
    const std::int64_t factor = subtracted ? -coefficient : coefficient;
    const Expr term = product_of(*this, m, factor);
    result = !result.defined() ? term : subtracted ? result - term : result + term;
  }
  return result.defined() ? result : strata::constant(i64, 0);
}

std::optional<Polynomial> sum(const Polynomial& a, const Polynomial& b) {
  Polynomial result = a;
  result.atoms.insert(b.atoms.begin(), b.atoms.end());
  for (const auto& [m, coefficient] : b.terms)
    if (!add_term(result, m, coefficient)) return std::nullopt;
  return result;
}

std::optional<Polynomial> product(const Polynomial& a, const Polynomial& b) {
  Polynomial result;
  result.atoms = a.atoms;
  result.atoms.insert(b.atoms.begin(), b.atoms.end());
  for (const auto& [m, c] : a.terms)
    for (const auto& [n, d] : b.terms) {
      std::int64_t coefficient = 0;
      if (__builtin_mul_overflow(c, d, &coefficient) ||
          !add_term(result, merged(m, n), coefficient))
        return std::nullopt;
    }
  return result;
}

std::optional<Polynomial> difference(const Polynomial& a, const Polynomial& b) {
  const auto minus = product(b, Polynomial::constant(-1));
  return minus ? sum(a, *minus) : std::nullopt;
}

}  // namespace strata::graph
