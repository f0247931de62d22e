#include "graph/dim/linear.h"

#include "core/expr/expr_text.h"

namespace strata::graph {

namespace {

Expr term_of(const Polynomial& p, const Monomial& m) {
  Polynomial term;
  term.atoms = p.atoms;
  term.terms[m] = 1;
  return term.expr();
}

}  // namespace

Expr Linear::dim(const Expr& e) {
  if (e.op() == Op::parameter || e.op() == Op::constant) return e;
  const Polynomial p = polynomial(expanded(e));
  Expr result;
  for (const auto& [m, coefficient] : p.terms) {
    Expr term = constant(i64, coefficient);
    if (!m.empty()) {
      const Expr factor = m.size() == 1 ? atom(p.atoms.at(m[0])) : symbol(term_of(p, m));
      term = coefficient == 1 ? factor : term * factor;
    }
    result = result.defined() ? result + term : term;
  }
  return result.defined() ? result : constant(i64, 0);
}

Expr Linear::condition(const Expr& e) {
  if (e.op() == Op::logical_and) return both(condition(e.args()[0]), condition(e.args()[1]));
  if (e.op() < Op::eq || e.args().size() != 2) return Expr();
  return make(e.op(), {dim(e.args()[0]), dim(e.args()[1])});
}

Expr Linear::expanded(const Expr& e) const {
  return with_symbols(e, [&](const std::string& name) {
    const auto found = values_.find(name);
    return found == values_.end() ? Expr() : found->second;
  });
}

Expr Linear::atom(const Expr& e) {
  if (e.op() == Op::parameter) return e;
  if ((e.op() == Op::div || e.op() == Op::mod) && constant_dim(e.args()[1]))
    return make(e.op(), {dim(e.args()[0]), normal(e.args()[1])});
  if (e.op() == Op::min || e.op() == Op::max)
    return make(e.op(), {dim(e.args()[0]), dim(e.args()[1])});
  return symbol(e);
}

Expr Linear::symbol(const Expr& value) {
  const auto [place, fresh] = names_.try_emplace(to_text(value));
  if (fresh) {
    place->second = name_of_(value);
    values_.emplace(place->second, value);
  }
  return parameter(place->second);
}

}  // namespace strata::graph
