#include "codegen/halide/emit/guards.h"

namespace strata::halide {

void Guards::enter(const Expr& whole, const NeedsGuard& needs_guard) {
  formulas_.clear();
  values_.clear();
  made_.clear();
  colors_.clear();
  asked_.clear();
  bool has_select = false;
  visit(whole, [&](const Expr& e) { has_select |= e.op() == Op::select; });
  by_paths_ = false;
  if (!has_select) return;
  const EvaluatedParts parts(whole, false, diagram_,
                             [&](const Expr& select) { return number_of(select.args()[0]); });
  for (const EvaluatedParts::Use& use : parts.uses())
    if (parts[use] != DecisionDiagram::always) formulas_.emplace(use.e->identity(), parts[use]);
  by_paths_ = parts.given_up() || is_circular(whole, needs_guard);
}

int Guards::number_of(const Expr& condition) {
  const auto [known, is_new] = numbers_.emplace(condition.identity(), int(conditions_.size()));
  if (is_new) conditions_.push_back(condition);
  return known->second;
}

Guards::Formula Guards::formula(const Expr& e) const {
  const auto found = formulas_.find(e.identity());
  return found == formulas_.end() ? DecisionDiagram::always : found->second;
}

// True if emitting "e" needs something that is being emitted. Visits each node once.
bool Guards::is_circular(const Expr& e, const NeedsGuard& needs_guard) {
  const auto [color, is_new] = colors_.emplace(e.identity(), Color::open);
  if (!is_new) return color->second == Color::open;
  for (const Expr& arg : e.args())
    if (is_circular(arg, needs_guard)) return true;
  if (needs_guard(e) && has_cycle(formula(e), needs_guard)) return true;
  colors_[e.identity()] = Color::done;
  return false;
}

bool Guards::has_cycle(Formula formula, const NeedsGuard& needs_guard) {
  if (formula <= DecisionDiagram::always || !asked_.insert(formula).second) return false;
  const DecisionDiagram::Node node = diagram_[formula];
  return is_circular(conditions_[std::size_t(node.condition)], needs_guard) ||
         has_cycle(node.low, needs_guard) || has_cycle(node.high, needs_guard);
}

void Guards::note(const Expr& condition, const HExpr& value) {
  if (const auto number = numbers_.find(condition.identity()); number != numbers_.end())
    values_.emplace(number->second, value);
}

HExpr Guards::value(int condition, const ValueOf& value_of) {
  if (const auto known = values_.find(condition); known != values_.end()) return known->second;
  const HExpr made = value_of(conditions_[std::size_t(condition)]);
  return values_.emplace(condition, made).first->second;
}

HExpr Guards::condition(Formula formula, const ValueOf& value_of) {
  if (formula == DecisionDiagram::always) return {};
  if (formula == DecisionDiagram::never) return Halide::Internal::const_false();
  if (const auto known = made_.find(formula); known != made_.end()) return known->second;
  const HExpr made = chain(formula, value_of);
  return made_.emplace(formula, made).first->second;
}

// c and not d and .., in this order, as long as one side of a node is never; then the remaining
// formula.
HExpr Guards::chain(Formula formula, const ValueOf& value_of) {
  HExpr all;
  const auto add = [&](const HExpr& next) { all = all.defined() ? all && next : next; };
  while (formula > DecisionDiagram::always) {
    const DecisionDiagram::Node node = diagram_[formula];
    const HExpr holds = value(node.condition, value_of);
    if (node.low != DecisionDiagram::never && node.high != DecisionDiagram::never) {
      const HExpr high = condition(node.high, value_of), low = condition(node.low, value_of);
      add((high.defined() ? holds && high : holds) || (low.defined() ? !holds && low : !holds));
      break;
    }
    const bool if_it_holds = node.low == DecisionDiagram::never;
    add(if_it_holds ? holds : !holds);
    formula = if_it_holds ? node.high : node.low;
  }
  return all;
}

}  // namespace strata::halide
