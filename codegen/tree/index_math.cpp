#include "codegen/tree/index_math.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "codegen/tree/exactness.h"
#include "core/expr/expr_memo.h"
#include "core/expr/linear_sum.h"
#include "core/floor_quotient.h"

namespace strata {

namespace {

using Word = LinearSum::Word;
using Sum = LinearSum;

bool is_constant(const Expr& e) { return e.op() == Op::constant && e.type() == i64; }
Word word(const Expr& e) { return Word(e.node().integer); }

// f (x % c) = f x - f c (x / c)  for c > 0, since x = c (x / c) + x % c in Z, so that other
// multiples of x / c can cancel.
std::vector<LinearTerm> terms_of(const Expr& e) {
  const auto& args = e.args();
  if (e.op() == Op::mod && is_constant(args[1]) && args[1].node().integer > 0)
    return {{args[0], 1}, {make(Op::div, args), Word(0) - word(args[1])}};
  return terms_of_sum(e);
}

void gather(Sum& sum, const Expr& e, Word factor) { sum.gather(e, factor, terms_of); }

bool is_extremum(const Expr& e) { return e.op() == Op::min || e.op() == Op::max; }

// m x - m c (x / c) = m (x % c), modulo 2^64, for every x and c > 1, if the sum has all terms of x.
bool gather_remainder(Sum& sum) {
  for (const auto& [term, coefficient] : sum.terms) {
    if (term.op() != Op::div) continue;
    const auto c = as_constant(term.args()[1]);
    if (!c || *c <= 1 || std::int64_t(coefficient) % *c != 0) continue;
    const Word m = Word(0) - Word(std::int64_t(coefficient) / *c);
    Sum rest = sum;
    gather(rest, term, Word(0) - coefficient);
    gather(rest, term.args()[0], Word(0) - m);
    if (rest.terms.size() + 2 > sum.terms.size()) continue;
    rest.add(make(Op::mod, term.args()), m);
    sum = rest;
    return true;
  }
  return false;
}

Expr simplified_sum(const Expr& e);

// Most operands of nested extrema, counted once per path, that an added constant is moved into.
constexpr int most_operands = 64;

// The number of paths from an extremum through extrema to their operands, at most one above the
// limit.
int count_operands(const Expr& e, Memo<int>& known) {
  if (!is_extremum(e)) return 1;
  return known(e, [&] {
    int all = 0;
    for (const Expr& arg : e.args()) all += count_operands(arg, known);
    return std::min(all, most_operands + 1);
  });
}

bool has_few_operands(const Expr& extremum) {
  Memo<int> known;
  return count_operands(extremum, known) <= most_operands;
}

// min(a, b) + c = min(a + c, b + c), and so for max, where a and b are indices: nothing wraps. They
// are simplified already: only the new sums need it.
Expr moved_into(const Sum& sum) {
  if (sum.terms.size() != 1 || !is_extremum(sum.terms[0].first) || sum.terms[0].second != 1 ||
      sum.constant == 0 || !Exactness().is_index(sum.terms[0].first) ||
      !has_few_operands(sum.terms[0].first))
    return expression(sum);
  const Expr& extremum = sum.terms[0].first;
  std::vector<Expr> args;
  for (const Expr& arg : extremum.args())
    args.push_back(simplified_sum(make(Op::add, {arg, word_constant(sum.constant)})));
  return make(extremum.op(), args);
}

// For simplified parts. A sum that does not change stays the same node, and stays shared: parts are
// simplified again and again.
Expr simplified_sum(const Expr& e) {
  Sum sum;
  gather(sum, e, 1);
  if (sum.wrapped) return e;  // its parts would not be those that the entry has checked
  while (gather_remainder(sum)) {
  }
  const Expr result = moved_into(sum);
  return same(result, e) ? e : result;
}

Expr folded(const Expr& e);

std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  const std::int64_t rest = a % b;
  return rest < 0 ? rest + b : rest;
}

bool is_power_of_two(std::int64_t m) { return (m & (m - 1)) == 0; }

// For an index x and m > 1, if neither m x + r nor r wraps, nor their coefficients:
//     (m x + r) / m = x + r / m      (m x + r) % m = r % m
// If m divides 2^64, the second always holds.
Expr without_multiples(const Expr& e, std::int64_t m) {
  Exactness exactness;
  Sum dividend, quotient, rest;
  gather(dividend, e.args()[0], 1);
  rest.constant = dividend.constant;
  for (const auto& [term, coefficient] : dividend.terms) {
    if (exactness.is_index(term) && std::int64_t(coefficient) % m == 0)
      quotient.add(term, Word(std::int64_t(coefficient) / m));
    else
      rest.add(term, coefficient);
  }
  if (quotient.terms.empty()) return e;
  const bool exact = !dividend.wrapped &&
                     (exactness.is_index(e.args()[0]) ||
                      (exactness.is_exact(e.args()[0]) && exactness.is_exact(expression(rest))));
  if (!exact && !(e.op() == Op::mod && is_power_of_two(m))) return e;
  const Expr left = folded(make(e.op(), {expression(rest), word_constant(Word(m))}));
  if (e.op() == Op::mod) return left;
  gather(quotient, left, 1);
  return expression(quotient);
}

// isl writes x % m as m - 1 - (-x - 1) % m. For a negated sum, y % m = m - 1 - (-y - 1) % m, for
// every y: -y - 1, which is ~y, does not wrap.
Expr mirrored(const Expr& e, std::int64_t m) {
  Sum dividend;
  gather(dividend, e.args()[0], 1);
  const bool negated = !dividend.terms.empty() &&
                       std::all_of(dividend.terms.begin(), dividend.terms.end(),
                                   [](const auto& t) { return is_negative_word(t.second); });
  if (e.op() != Op::mod || !negated) return e;
  Sum mirror;
  mirror.constant = ~dividend.constant;
  for (const auto& [term, coefficient] : dividend.terms) mirror.add(term, Word(0) - coefficient);
  Sum result;
  result.constant = Word(m - 1);
  result.add(make(Op::mod, {expression(mirror), word_constant(Word(m))}), ~Word(0));
  return expression(result);
}

//     x / 1 = x, and of constants min(a, b), max(a, b), a / b and a % b for b > 0
Expr folded(const Expr& e) {
  const auto a = as_constant(e.args()[0]), b = as_constant(e.args()[1]);
  if (e.op() == Op::div && b == 1) return e.args()[0];
  if (!a && b && *b > 1 && (e.op() == Op::div || e.op() == Op::mod)) {
    const Expr shorter = without_multiples(e, *b);
    return same(shorter, e) ? mirrored(e, *b) : simplified(shorter);
  }
  if (!a || !b) return e;
  switch (e.op()) {
    case Op::min: return constant(i64, std::min(*a, *b));
    case Op::max: return constant(i64, std::max(*a, *b));
    case Op::div: return *b > 0 ? constant(i64, floor_quotient(*a, *b)) : e;
    case Op::mod: return *b > 0 ? constant(i64, floor_mod(*a, *b)) : e;
    default: return e;
  }
}

bool is_linear(Op op) {
  return op == Op::add || op == Op::sub || op == Op::negate || op == Op::mul;
}

}  // namespace

std::optional<std::int64_t> as_constant(const Expr& e) {
  return is_constant(e) ? std::optional(e.node().integer) : std::nullopt;
}

Expr simplified(const Expr& e) {
  return rewrite(e, [](const Expr& node) -> Expr {
    if (node.type() != i64) return {};
    if (is_linear(node.op())) return simplified_sum(node);
    return is_extremum(node) || node.op() == Op::div || node.op() == Op::mod ? folded(node)
                                                                             : Expr();
  });
}

std::optional<std::int64_t> constant_difference(const Expr& a, const Expr& b) {
  Sum sum;
  gather(sum, a, 1);
  gather(sum, b, ~Word(0));
  return sum.terms.empty() ? std::optional(std::int64_t(sum.constant)) : std::nullopt;
}

std::optional<bool> as_truth(const Expr& condition) {
  const Op op = condition.op();
  if (op < Op::eq || op > Op::ge || condition.args()[0].type() != i64) return std::nullopt;
  const auto difference = constant_difference(condition.args()[0], condition.args()[1]);
  if (!difference) return std::nullopt;
  Exactness exactness;
  const auto in_z = combined(Op::sub, exactness.values_of(condition.args()[0]),
                             exactness.values_of(condition.args()[1]));
  if (op != Op::eq && op != Op::ne && !is_inside(*in_z, range_of(i64))) return std::nullopt;
  switch (op) {
    case Op::eq: return *difference == 0;
    case Op::ne: return *difference != 0;
    case Op::lt: return *difference < 0;
    case Op::le: return *difference <= 0;
    case Op::gt: return *difference > 0;
    default: return *difference >= 0;
  }
}

}  // namespace strata
