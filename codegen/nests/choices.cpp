#include "codegen/nests/choices.h"

#include <isl/set.h>

#include <optional>
#include <set>

#include "codegen/nests/time_space.h"
#include "core/expr/expr_memo.h"
#include "core/sets/coalesce.h"
#include "layers/affine/affine.h"

namespace strata {

namespace {

class ChoiceFinder {
 public:
  explicit ChoiceFinder(const TimeBranch& branch)
      : branch_(branch),
        definition_(*branch.definition),
        translation_(scope_of(branch.times.ctx(), definition_.name, definition_.iterators)) {}

  std::vector<Choice> all() {
    for_each_expression(definition_, [&](const Expr& whole) {
      visit(whole, [&](const Expr& e) {
        if (e.op() == Op::select) add(e, translation_.condition(e.args()[0]));
        if (e.op() != Op::access) return;
        for (const Expr& index : e.args()) add_index(index);
      });
    });
    for (const Expr& index : definition_.element) add_index(index);
    return std::move(found_);
  }

 private:
  void add_index(const Expr& index) {
    visit(index, [&](const Expr& e) {
      if (e.type() == i64 && may_choose(e.op())) add(e, condition_of(e));
    });
  }

  static bool may_choose(Op op) {
    return op == Op::min || op == Op::max || op == Op::abs || op == Op::mod;
  }

  // { S[i] : the operation is its first operand }
  std::optional<isl::set> condition_of(const Expr& e) {
    const auto a = translation_.affine(e.args()[0]);
    if (!a) return std::nullopt;
    const isl::pw_aff zero = a->sub(*a);
    if (e.op() == Op::abs) return a->ge_set(zero);
    const auto b = translation_.affine(e.args()[1]);
    if (!b) return std::nullopt;
    if (e.op() == Op::min) return a->le_set(*b);
    if (e.op() == Op::max) return a->ge_set(*b);
    return a->ge_set(zero).intersect(a->lt_set(*b));
  }

  static Expr second_of(const Expr& e) {
    if (e.op() == Op::select) return e.args()[2];
    if (e.op() == Op::abs) return make(Op::negate, {e.args()[0]});
    return e.op() == Op::mod ? Expr() : e.args()[1];
  }

  void add(const Expr& e, const std::optional<isl::set>& condition) {
    if (!condition || int(found_.size()) >= most_choices || !known_.insert(e.identity()).second)
      return;
    const isl::set when = coalesced(condition->preimage(branch_.instance));
    found_.push_back({e, e.args()[e.op() == Op::select ? 1 : 0], second_of(e), when});
  }

  const TimeBranch& branch_;
  const Definition& definition_;
  Translation translation_;
  std::vector<Choice> found_;
  std::set<const ExprNode*> known_;
};

}  // namespace

std::vector<Choice> choices_of(const TimeBranch& branch) { return ChoiceFinder(branch).all(); }

std::map<const ExprNode*, Expr> decided(const std::vector<Choice>& choices, const isl::set& times) {
  std::map<const ExprNode*, Expr> known;
  for (const Choice& choice : choices) {
    if (times.is_subset(choice.when))
      known.emplace(choice.e.identity(), choice.first);
    else if (choice.second.defined() && times.is_disjoint(choice.when))
      known.emplace(choice.e.identity(), choice.second);
  }
  return known;
}

}  // namespace strata
