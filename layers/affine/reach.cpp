#include "layers/affine/reach.h"

#include <isl/set.h>

#include <map>
#include <optional>

#include "core/expr/expr_evaluated.h"
#include "core/sets/coalesce.h"

namespace strata {

namespace {

using Formula = DecisionDiagram::Formula;

class Reach {
 public:
  Reach(const isl::set& where, const IteratorScope& scope) : where_(where), scope_(scope) {}

  std::vector<Reached> operator()(const Expr& whole, bool may, bool (*wanted)(const Expr&)) {
    const EvaluatedParts parts(whole, may, diagram_,
                               [&](const Expr& select) { return condition_of(select); });
    std::vector<Reached> result;
    for (const EvaluatedParts::Use& use : parts.uses()) {
      if (!wanted(*use.e)) continue;
      const auto exact = parts.given_up() ? std::nullopt : set_of(parts[use]);
      result.push_back({*use.e, exact.value_or(where_), use.may || !exact});
    }
    return result;
  }

 private:
  // The number of a select's condition, if it is affine.
  std::optional<int> condition_of(const Expr& select) {
    const Expr& condition = select.args()[0];
    const auto known = numbers_.find(condition.identity());
    if (known != numbers_.end()) return known->second;
    const auto holds = affine_condition(condition, scope_);
    const auto number = holds ? std::optional(int(conditions_.size())) : std::nullopt;
    if (holds) conditions_.push_back(*holds);
    return numbers_[condition.identity()] = number;
  }

  std::optional<isl::set> set_of(Formula formula) {
    if (const auto known = sets_.find(formula); known != sets_.end()) return known->second;
    return sets_[formula] = fresh_set_of(formula);
  }

  // Traverses the diagram top-down, collecting for each of its formulas the set that reaches it.
  std::optional<isl::set> fresh_set_of(Formula formula) {
    std::map<std::pair<int, Formula>, isl::set> pending;
    const auto add = [&](Formula f, const isl::set& piece) {
      const auto [place, is_new] = pending.emplace(std::pair(diagram_[f].condition, f), piece);
      if (!is_new) place->second = coalesced(place->second.unite(piece));
      return is_new || isl_set_n_basic_set(place->second.get()) <= most_pieces;
    };
    isl::set result = where_.subtract(where_);
    bool small = add(formula, where_);
    while (small && !pending.empty()) {
      const auto [key, piece] = *pending.begin();
      pending.erase(pending.begin());
      const Formula f = key.second;
      if (f == DecisionDiagram::always) result = piece;
      if (f <= DecisionDiagram::always) continue;
      const isl::set& holds = conditions_[std::size_t(key.first)];
      small = add(diagram_[f].high, piece.intersect(holds)) &&
              add(diagram_[f].low, piece.subtract(holds));
    }
    return small ? std::optional(result) : std::nullopt;
  }

  const isl::set& where_;
  const IteratorScope& scope_;
  std::map<const ExprNode*, std::optional<int>> numbers_;
  std::vector<isl::set> conditions_;
  DecisionDiagram diagram_;
  std::map<Formula, std::optional<isl::set>> sets_;
};

}  // namespace

std::vector<Reached> reached(const Expr& whole, const isl::set& where, bool may,
                             const IteratorScope& scope, bool (*wanted)(const Expr&)) {
  return Reach(where, scope)(whole, may, wanted);
}

}  // namespace strata
