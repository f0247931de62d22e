#include "codegen/halide/index_range.h"

#include <algorithm>
#include <optional>

#include "codegen/halide/loop_steps.h"
#include "codegen/halide/refusal.h"
#include "core/interval.h"

namespace strata::halide {

namespace {

constexpr Wide limit = Wide{1} << 61;

// Where an expression lies; nothing where nothing is known, as of the contents of a buffer.
using Known = std::optional<Interval>;

// Interval arithmetic with all parameters in [-2^k, 2^k].
class Proof {
 public:
  explicit Proof(int k) : parameter_{-(Wide{1} << k), Wide{1} << k} {}

  bool holds() const { return holds_; }

  void check(const IndexExpression& x) {
    variables_.clear();
    known_.clear();
    for (const For* loop : x.loops) enter(*loop);
    interval(x.e);
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

  // max(a, ?) is at least a, and min(a, ?) at most.
  Known known_part(Op extremum, const Expr& e) {
    if (const Known whole = interval(e)) return whole;
    if (e.op() != extremum) return std::nullopt;
    const Known a = known_part(extremum, e.args()[0]);
    return a ? a : known_part(extremum, e.args()[1]);
  }

  Known within(const Expr& e, const Known& found) {
    if (found && (found->lowest < -limit || found->highest > limit)) {
      if (is_made_of_data(e, made_of_data_)) return std::nullopt;
      holds_ = false;
      return Interval{std::max(found->lowest, -limit), std::min(found->highest, limit)};
    }
    return found;
  }

  // The indices of a load are expressions of their own, and what is checked wraps.
  Known interval(const Expr& e) {
    if (const auto found = known_.find(e.identity()); found != known_.end()) return found->second;
    const Known made = fresh_interval(e);
    return known_.emplace(e.identity(), made).first->second;
  }

  Known fresh_interval(const Expr& e) {
    std::vector<Known> parts;
    for (const Expr& arg : e.args()) {
      const bool apart = e.op() == Op::load || (e.op() == Op::checked && parts.empty());
      parts.push_back(apart ? Known() : interval(arg));
    }
    if (e.type() != Type::int64) return of_other_type(e);
    return within(e, of(e, parts));
  }

  Known of_other_type(const Expr& e) const {
    if (!is_integer(e.type()) || bits(e.type()) > 32) return std::nullopt;
    return Interval{-(Wide{1} << 31), Wide{1} << 32};
  }

  Known of(const Expr& e, const std::vector<Known>& parts) const {
    switch (e.op()) {
      case Op::constant:
        return Interval{e.node().integer, e.node().integer};
      case Op::parameter:
        return parameter_;
      case Op::variable: {
        const auto found = variables_.find(e.name());
        return found == variables_.end() ? Known() : Known(found->second);
      }
      case Op::cast:
      case Op::named:
        return parts[0];
      case Op::negate:
        return parts[0] ? combined(Op::sub, {0, 0}, *parts[0]) : parts[0];
      case Op::checked:
        if (!parts[1] || !parts[2]) return std::nullopt;
        return Interval{parts[1]->lowest, std::max(parts[1]->lowest, parts[2]->highest - 1)};
      case Op::select:
        if (!parts[1] || !parts[2]) return std::nullopt;
        return hull({parts[1]->lowest, parts[1]->highest, parts[2]->lowest, parts[2]->highest});
      default:
        if (parts.size() != 2 || !parts[0] || !parts[1]) return std::nullopt;
        return combined(e.op(), *parts[0], *parts[1]);
    }
  }

  Interval parameter_;
  std::map<std::string, Interval> variables_;
  std::map<const ExprNode*, bool> made_of_data_;
  std::map<const ExprNode*, Known> known_;  // with these variables
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
                          " overflows whatever the parameters are");
  int yes = 0, no = 63;
  while (no - yes > 1) {
    const int middle = (yes + no) / 2;
    (holds(all, middle) ? yes : no) = middle;
  }
  return yes;
}

}  // namespace

bool is_made_of_data(const Expr& e, std::map<const ExprNode*, bool>& known) {
  if (const auto found = known.find(e.identity()); found != known.end()) return found->second;
  const auto answer = [&] {
    if (e.op() == Op::checked) return false;
    if (e.op() == Op::load || e.op() == Op::call || e.type() != Type::int64) return true;
    const auto first = e.args().begin() + (e.op() == Op::select ? 1 : 0);
    return std::any_of(first, e.args().end(),
                       [&](const Expr& arg) { return is_made_of_data(arg, known); });
  };
  const bool made = answer();
  return known[e.identity()] = made;
}

std::map<std::string, Range> find_index_ranges(const Kernel& kernel) {
  std::vector<IndexExpression> all = index_expressions(kernel);
  for (const LoopSteps& loop : find_steps_of_loops(kernel)) all.push_back({loop.most, {}});
  const int k = widest(all, kernel.name);
  const std::int64_t end = std::int64_t{1} << k;
  std::map<std::string, Range> out;
  for (const IndexExpression& x : all)
    visit(x.e, [&](const Expr& e) {
      if (e.op() == Op::parameter) out[e.name()] = {-end, end};
    });
  return out;
}

}  // namespace strata::halide
