#include "core/expr/expr_evaluated.h"

namespace strata {

namespace {

constexpr std::size_t largest_diagram = 1 << 14;

bool is_side(const Expr& e, std::size_t argument) { return e.op() == Op::select && argument > 0; }

}  // namespace

EvaluatedParts::EvaluatedParts(const Expr& whole, bool may, DecisionDiagram& diagram,
                               NumberOf number_of)
    : number_of_(std::move(number_of)) {
  list(whole, may);
  formulas_[uses_.back()] = DecisionDiagram::always;
  const std::size_t most = diagram.size() + largest_diagram;
  for (auto use = uses_.rbegin(); use != uses_.rend() && !given_up_; ++use) {
    propagate(*use, diagram);
    given_up_ = diagram.size() > most;
  }
  if (!given_up_) return;
  for (const Use& use : uses_) formulas_[use] = DecisionDiagram::always;
}

void EvaluatedParts::list(const Expr& e, bool may) {
  const Use use{&e, may};
  if (!seen_.insert(use).second) return;
  if (e.op() == Op::select) number_of_(e);
  for (std::size_t n = 0; n < e.args().size(); ++n) list(e.args()[n], may_be_used(use, n));
  uses_.push_back(use);
}

bool EvaluatedParts::may_be_used(const Use& use, std::size_t argument) const {
  return use.may || (is_side(*use.e, argument) && !number_of_(*use.e));
}

// Propagates the formula of a use to its parts.
void EvaluatedParts::propagate(const Use& use, DecisionDiagram& diagram) {
  const Expr& e = *use.e;
  const Formula here = formulas_.at(use);
  for (std::size_t n = 0; n < e.args().size(); ++n) {
    const auto number = is_side(e, n) ? number_of_(e) : std::nullopt;
    const Formula there = number ? diagram.both(here, diagram.literal(*number, n == 1)) : here;
    Formula& part = formulas_[{&e.args()[n], may_be_used(use, n)}];
    part = diagram.either(part, there);
  }
}

}  // namespace strata
