// Polynomials over atoms: how normal forms of dims are computed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/expr.h"

namespace strata::graph {

// A product of atoms, as their texts in order. Atoms are neither sums nor products. An atom may
// occur several times.
using Monomial = std::vector<std::string>;

// Monomials of higher degree first; of equal degree, in the order of their texts.
struct MonomialOrder {
  bool operator()(const Monomial& a, const Monomial& b) const {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  }
};

// sum_m terms[m] * m, without terms that are 0.
struct Polynomial {
  std::map<Monomial, std::int64_t, MonomialOrder> terms = {};
  std::map<std::string, Expr> atoms = {};  // by their texts

  static Polynomial constant(std::int64_t value);
  static Polynomial atom(const Expr& value);

  std::optional<std::int64_t> as_constant() const;
  // The atom, if the polynomial is just one atom.
  const Expr* as_atom() const;
  Expr expr() const;
};

// Nothing if a coefficient would not fit int64, or there would be too many terms.
std::optional<Polynomial> sum(const Polynomial& a, const Polynomial& b);
std::optional<Polynomial> product(const Polynomial& a, const Polynomial& b);
std::optional<Polynomial> difference(const Polynomial& a, const Polynomial& b);

// The polynomial of an expression.
Polynomial polynomial(const Expr& e);

}  // namespace strata::graph
