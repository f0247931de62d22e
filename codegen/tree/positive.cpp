#include "codegen/tree/positive.h"

#include <algorithm>

#include "codegen/tree/exactness.h"
#include "codegen/tree/index_math.h"
#include "core/expr/linear_sum.h"

namespace strata {

namespace {

using Word = LinearSum::Word;

class Proof {
 public:
  explicit Proof(const std::vector<const For*>& loops) : loops_(loops) {}

  bool is_positive(LinearSum sum) {
    if (sum.wrapped || ++steps_ > most_steps) return false;
    if (sum.terms.empty()) return std::int64_t(sum.constant) > 0;
    const auto innermost = std::max_element(
        sum.terms.begin(), sum.terms.end(),
        [&](const auto& a, const auto& b) { return rank(a.first) < rank(b.first); });
    const auto [term, coefficient] = *innermost;
    sum.terms.erase(innermost);
    return is_positive_with_least(sum, term, coefficient);
  }

  // sum + coefficient * e
  bool is_positive_with(LinearSum sum, const Expr& e, Word coefficient) {
    if (!exactness_.is_index(e)) return false;
    sum.gather(e, coefficient, terms_of_sum);
    return is_positive(std::move(sum));
  }

 private:
  // Terms with the innermost variable come first; one that has it inside before the variable alone,
  // which would be lost in it.
  using Rank = std::pair<std::ptrdiff_t, int>;
  Rank rank(const Expr& term) const {
    std::ptrdiff_t depth = -1;
    visit(term, [&](const Expr& e) {
      if (e.op() != Op::variable) return;
      for (std::size_t l = 0; l < loops_.size(); ++l)
        if (loops_[l]->variable == e.name()) depth = std::max(depth, std::ptrdiff_t(l));
    });
    return {depth, term.op() == Op::variable ? 1 : term.args().empty() ? 0 : 2};
  }

  bool is_positive_with_least(const LinearSum& sum, const Expr& term, Word coefficient) {
    const bool negative = is_negative_word(coefficient);
    switch (term.op()) {
      case Op::variable: {
        const For* loop = loop_over(term.name());
        return loop && is_positive_with(sum, negative ? loop->upper - 1 : loop->lower, coefficient);
      }
      case Op::min:
      case Op::max: {
        const bool either = (term.op() == Op::max) != negative;
        const bool first = is_positive_with(sum, term.args()[0], coefficient);
        return first == either ? either : is_positive_with(sum, term.args()[1], coefficient);
      }
      case Op::div: {
        const auto divisor = as_constant(term.args()[1]);
        if (!divisor || *divisor <= 0) return false;
        LinearSum multiple;  // integers are positive where their multiples are
        multiple.gather(expression(sum), Word(*divisor), terms_of_sum);
        const Expr& whole = term.args()[0];
        return is_positive_with(multiple, negative ? whole : whole - (*divisor - 1), coefficient);
      }
      default: return false;
    }
  }

  const For* loop_over(const std::string& name) const {
    for (const For* loop : loops_)
      if (loop->variable == name) return loop;
    return nullptr;
  }

  static constexpr int most_steps = 200;

  const std::vector<const For*>& loops_;
  Exactness exactness_;
  int steps_ = 0;
};

}  // namespace

bool is_positive(const Expr& e, const std::vector<const For*>& loops) {
  return Proof(loops).is_positive_with({}, e, 1);
}

}  // namespace strata
