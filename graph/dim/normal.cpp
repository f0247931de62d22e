// Normal forms of dims.
#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "core/expr/expr_text.h"
#include "core/floor_quotient.h"
#include "graph/dim/dim.h"
#include "graph/dim/polynomial.h"

namespace strata::graph {

namespace {

// sum_m a_m m = c * quotient + rest, with 0 <= rest_m < c.
struct Division {
  Polynomial quotient, rest;
};

Division divided(const Polynomial& p, std::int64_t c) {
  Division d;
  d.quotient.atoms = d.rest.atoms = p.atoms;
  for (const auto& [m, coefficient] : p.terms) {
    const std::int64_t quotient = floor_quotient(coefficient, c), rest = coefficient - quotient * c;
    if (quotient != 0) d.quotient.terms[m] = quotient;
    if (rest != 0) d.rest.terms[m] = rest;
  }
  return d;
}

// floor((g x + k) / (g d)) = floor((x + floor(k / g)) / d): "p" and "c" become x + .. and d.
void cancel(Polynomial& p, std::int64_t& c) {
  std::int64_t g = c;
  for (const auto& [m, coefficient] : p.terms)
    if (!m.empty()) g = std::gcd(g, coefficient);
  if (g == 1) return;
  for (auto& [m, coefficient] : p.terms) coefficient = floor_quotient(coefficient, g);
  std::erase_if(p.terms, [](const auto& term) { return term.second == 0; });
  c /= g;
}

class Normalizer {
 public:
  const Polynomial& of(const Expr& e) {
    const auto found = done_.find(e.identity());
    if (found != done_.end()) return found->second.second;
    return done_.emplace(e.identity(), std::pair(e, computed(e))).first->second.second;
  }

 private:
  Polynomial computed(const Expr& e) {
    if (e.op() == Op::constant) return Polynomial::constant(e.node().integer);
    if (e.args().size() == 1 && e.op() == Op::negate)
      return or_atom(product(of(e.args()[0]), Polynomial::constant(-1)), e);
    if (e.args().size() != 2) return atom(e);
    const Polynomial &a = of(e.args()[0]), &b = of(e.args()[1]);
    switch (e.op()) {
      case Op::add: return or_atom(sum(a, b), e);
      case Op::sub: return or_atom(difference(a, b), e);
      case Op::mul: return or_atom(product(a, b), e);
      case Op::div: return quotient(a, b, e);
      case Op::mod: return remainder(a, b, e);
      case Op::min:
      case Op::max: return extreme(e);
      default: return atom(e);
    }
  }

  // The operation on normal operands.
  Polynomial atom(const Expr& e) {
    std::vector<Expr> args;
    for (const Expr& arg : e.args()) args.push_back(of(arg).expr());
    return Polynomial::atom(args.empty() ? e : with_args(e, std::move(args)));
  }
  Polynomial or_atom(const std::optional<Polynomial>& p, const Expr& e) { return p ? *p : atom(e); }

  Polynomial quotient(const Polynomial& a, const Polynomial& b, const Expr& e) {
    const auto c = b.as_constant();
    if (!c || *c == INT64_MIN) return atom(e);
    if (*c == 0) return Polynomial::constant(0);
    const auto numerator = *c > 0 ? a : product(a, Polynomial::constant(-1));
    return numerator ? or_atom(quotient(*numerator, std::abs(*c)), e) : atom(e);
  }

  // floor(p / c) = quotient + floor(rest / c), for c > 0.
  std::optional<Polynomial> quotient(const Polynomial& p, std::int64_t c) {
    auto [whole, rest] = divided(p, c);
    cancel(rest, c);
    if (const auto value = rest.as_constant())
      return sum(whole, Polynomial::constant(floor_quotient(*value, c)));
    if (const auto flat = unnested(rest, c)) return sum(whole, *flat);
    return sum(whole, Polynomial::atom(rest.expr() / strata::constant(i64, c)));
  }

  // floor((floor(s / d) + k) / c) = floor((s + k d) / (c d)).
  std::optional<Polynomial> unnested(const Polynomial& rest, std::int64_t c) {
    Polynomial inner = rest;
    const std::int64_t k = inner.terms.contains({}) ? inner.terms[{}] : 0;
    inner.terms.erase(Monomial());
    const Expr* atom = inner.as_atom();
    if (!atom || atom->op() != Op::div) return std::nullopt;
    const auto d = of(atom->args()[1]).as_constant();
    std::int64_t shift = 0, both = 0;
    if (!d || __builtin_mul_overflow(k, *d, &shift) || __builtin_mul_overflow(c, *d, &both))
      return std::nullopt;
    const auto numerator = sum(of(atom->args()[0]), Polynomial::constant(shift));
    return numerator ? quotient(*numerator, both) : std::nullopt;
  }

  // a % c = a - c floor(a / c); a % 0 = 0.
  Polynomial remainder(const Polynomial& a, const Polynomial& b, const Expr& e) {
    const auto c = b.as_constant();
    if (!c) return atom(e);
    if (*c == 0) return Polynomial::constant(0);
    const auto multiple = product(quotient(a, b, e.args()[0] / e.args()[1]), b);
    return multiple ? or_atom(difference(a, *multiple), e) : atom(e);
  }

  // Leaves out an operand that another one makes redundant, and orders the rest by their texts.
  Polynomial extreme(const Expr& e) {
    std::vector<Polynomial> operands;
    collect(e, e.op(), operands);
    std::map<std::string, Expr> kept;
    for (std::size_t k = 0; k < operands.size(); ++k)
      if (!is_redundant(operands, k, e.op()))
        kept.emplace(to_text(operands[k].expr()), operands[k].expr());
    Expr result;
    for (const auto& [text, operand] : kept)
      result = result.defined() ? make(e.op(), {result, operand}) : operand;
    return kept.size() == 1 ? of(result) : Polynomial::atom(result);
  }

  void collect(const Expr& e, Op op, std::vector<Polynomial>& operands) {
    if (e.op() == op) {
      collect(e.args()[0], op, operands);
      collect(e.args()[1], op, operands);
    } else {
      operands.push_back(of(e));
    }
  }

  // Is there an operand that is at least (for a minimum, at most) operand k, and first if equal?
  static bool is_redundant(const std::vector<Polynomial>& operands, std::size_t k, Op op) {
    for (std::size_t other = 0; other < operands.size(); ++other) {
      if (other == k) continue;
      const auto gap = difference(operands[other], operands[k]);
      const auto value = gap ? gap->as_constant() : std::nullopt;
      if (!value) continue;
      if (*value == 0 ? other < k : (*value > 0) == (op == Op::max)) return true;
    }
    return false;
  }

  // Results by identity. The expressions beside them keep these identities alive.
  std::unordered_map<const ExprNode*, std::pair<Expr, Polynomial>> done_;
};

}  // namespace

Polynomial polynomial(const Expr& e) { return Normalizer().of(e); }

Expr normal(const Expr& dim) {
  if (dim.op() == Op::parameter) return dim;
  if (dim.op() == Op::constant) return constant(i64, dim.node().integer);
  return polynomial(dim).expr();
}

std::optional<Expr> exact_quotient(const Expr& a, const Expr& b) {
  Polynomial quotient = polynomial(a);
  const Polynomial divisor = polynomial(b);
  if (divisor.terms.size() != 1) return std::nullopt;
  const auto& [monomial, coefficient] = *divisor.terms.begin();
  const auto terms = std::exchange(quotient.terms, {});
  for (const auto& [m, c] : terms) {
    Monomial rest;
    std::set_difference(m.begin(), m.end(), monomial.begin(), monomial.end(),
                        std::back_inserter(rest));
    if (c % coefficient != 0 || rest.size() + monomial.size() != m.size()) return std::nullopt;
    quotient.terms[rest] = c / coefficient;
  }
  return quotient.expr();
}

std::string dim_text(const Expr& dim) { return to_text(normal(dim)); }

std::optional<std::int64_t> constant_dim(const Expr& dim) {
  if (dim.op() == Op::constant) return dim.node().integer;
  if (dim.op() == Op::parameter) return std::nullopt;
  return polynomial(dim).as_constant();
}

}  // namespace strata::graph
