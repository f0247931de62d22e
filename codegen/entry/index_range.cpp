#include "codegen/entry/index_range.h"

#include <algorithm>
#include <optional>

#include "codegen/entry/loop_steps.h"
#include "codegen/refusal.h"
#include "core/expr/interval.h"

namespace strata {

namespace {

// Interval arithmetic with all parameters in [-2^k, 2^k].
class Proof : private Intervals {
 public:
  explicit Proof(int k) : parameter_{-(Wide{1} << k), Wide{1} << k} {}

  bool holds() const { return holds_; }

  void check(const IndexExpression& x) {
    if (x.loops != loops_) {
      loops_ = x.loops;
      variables_.clear();
      forget();
      for (const For* loop : x.loops) enter(*loop);
    }
    of(x.e);
  }

 private:
  void enter(const For& loop) {
    const Known lower = known_part(Op::max, loop.lower), upper = known_part(Op::min, loop.upper);
    if (!lower || !upper) return;
    Interval all{lower->lowest, upper->highest - 1};
    if (loop.extent) all.highest = std::min(all.highest, lower->highest + *loop.extent - 1);
    all.highest = std::max(all.lowest, all.highest);
    variables_[loop.variable] = all;
  }

  // max(a, ?) is at least a, and min(a, ?) at most a.
  Known known_part(Op extremum, const Expr& e) {
    if (const Known whole = of(e)) return whole;
    if (e.op() != extremum) return std::nullopt;
    const Known a = known_part(extremum, e.args()[0]);
    return a ? a : known_part(extremum, e.args()[1]);
  }

  // A constant alone cannot overflow; an operation on a large one and an index is checked here.
  Known within(const Expr& e, const Known& found) {
    if (e.op() == Op::constant) return found;
    if (found && !is_inside(*found, index_range)) {
      if (is_made_of_data(e, made_of_data_)) return std::nullopt;
      holds_ = false;
      return Interval{std::max(found->lowest, index_range.lowest),
                      std::min(found->highest, index_range.highest)};
    }
    return found;
  }

  Known taken(const Expr& e, const std::vector<Known>& parts) override {
    return e.type() == Type::int64 ? within(e, found(e, parts)) : of_other_type(e);
  }

  Known of_other_type(const Expr& e) const {
    if (!is_integer(e.type()) || bits(e.type()) > 32) return std::nullopt;
    return Interval{-(Wide{1} << 31), Wide{1} << 32};
  }

  Known found(const Expr& e, const std::vector<Known>& parts) const {
    switch (e.op()) {
      case Op::parameter: return parameter_;
      case Op::variable: {
        const auto range = variables_.find(e.name());
        return range == variables_.end() ? Known() : Known(range->second);
      }
      case Op::checked:
        if (!parts[1] || !parts[2]) return std::nullopt;
        return Interval{parts[1]->lowest, std::max(parts[1]->lowest, parts[2]->highest - 1)};
      default: return exact(e, parts);
    }
  }

  Interval parameter_;
  std::vector<const For*> loops_;  // the loops around the expression checked last
  std::map<std::string, Interval> variables_;
  std::map<const ExprNode*, bool> made_of_data_;
  bool holds_ = true;
};

bool holds(const std::vector<IndexExpression>& all, int k) {
  Proof proof(k);
  for (const IndexExpression& x : all) {
    proof.check(x);
    if (!proof.holds()) return false;
  }
  return true;
}

int widest(const std::vector<IndexExpression>& all, const std::string& kernel) {
  if (!holds(all, 0))
    throw cannot_generate("the index arithmetic of " + kernel +
                          " overflows for all parameter values");
  int yes = 0, no = 63;
  while (no - yes > 1) {
    const int middle = (yes + no) / 2;
    (holds(all, middle) ? yes : no) = middle;
  }
  return yes;
}

// Is the condition p >= c, p <= c or a conjunction of such, and does it hold in these ranges?
bool follows(const Expr& condition, const std::map<std::string, ParameterRange>& ranges) {
  const auto& args = condition.args();
  if (condition.op() == Op::logical_and)
    return follows(args[0], ranges) && follows(args[1], ranges);
  if (condition.op() != Op::ge && condition.op() != Op::le) return false;
  if (args[0].op() != Op::parameter || args[1].op() != Op::constant) return false;
  const auto range = ranges.find(args[0].name());
  if (range == ranges.end()) return false;
  const std::int64_t end = args[1].node().integer;
  return condition.op() == Op::ge ? range->second.lowest >= end : range->second.highest <= end;
}

bool is_constant_shift(const Expr& e) {
  const Expr& by = e.args()[1];
  return by.op() == Op::constant &&
         combined(e.op(), {0, 0}, {integer_of(by), integer_of(by)}).has_value();
}

// Does interval arithmetic bound the operation by the intervals of its operands?
bool is_followed(const Expr& e) {
  switch (e.op()) {
    case Op::shift_left:
    case Op::shift_right: return is_constant_shift(e);
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor:
    case Op::bit_not:
    case Op::pow: return false;
    default: return true;
  }
}

}  // namespace

bool is_made_of_data(const Expr& e, std::map<const ExprNode*, bool>& known) {
  if (const auto found = known.find(e.identity()); found != known.end()) return found->second;
  const auto answer = [&] {
    if (e.op() == Op::checked) return false;
    if (e.op() == Op::load || e.op() == Op::call || e.type() != Type::int64) return true;
    if (!is_followed(e)) return true;
    const auto first = e.args().begin() + (e.op() == Op::select ? 1 : 0);
    return std::any_of(first, e.args().end(),
                       [&](const Expr& arg) { return is_made_of_data(arg, known); });
  };
  const bool made = answer();
  return known[e.identity()] = made;
}

std::map<std::string, ParameterRange> find_index_ranges(const Kernel& kernel) {
  std::vector<IndexExpression> all = index_expressions(kernel);
  for (const LoopSteps& loop : find_steps_of_loops(kernel)) all.push_back({loop.most, {}});
  const int k = widest(all, kernel.name);
  const std::int64_t end = std::int64_t{1} << k;
  std::map<std::string, ParameterRange> out;
  for (const IndexExpression& x : all)
    visit(x.e, [&](const Expr& e) {
      if (e.op() == Op::parameter) out[e.name()] = {-end, end};
    });
  return out;
}

std::vector<Assumption> assumptions_beyond(const std::map<std::string, ParameterRange>& ranges,
                                           const Kernel& kernel) {
  std::vector<Assumption> rest;
  for (const Assumption& a : kernel.assumptions)
    if (!follows(a.condition, ranges)) rest.push_back(a);
  return rest;
}

}  // namespace strata
