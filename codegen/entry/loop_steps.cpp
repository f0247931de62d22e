#include "codegen/entry/loop_steps.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "codegen/entry/linear_form.h"
#include "codegen/refusal.h"
#include "codegen/tree/launch_axes.h"
#include "core/expr/expr_memo.h"

namespace strata {

namespace {

// The smallest and the largest value, as functions of the parameters; undefined if unknown.
struct Bounds {
  Expr lowest, highest;
  bool known() const { return lowest.defined() && highest.defined(); }
};

Expr literal(std::int64_t value) { return constant(i64, value); }

// The operands of nested min (or max), each once.
std::vector<Expr> operands_of(Op op, const Expr& e) {
  std::vector<Expr> out;
  std::set<const ExprNode*> seen;
  const std::function<void(const Expr&)> gather = [&](const Expr& part) {
    if (!seen.insert(part.identity()).second) return;
    if (part.op() != op) return out.push_back(part);
    for (const Expr& arg : part.args()) gather(arg);
  };
  gather(e);
  return out;
}

class StepCounter {
 public:
  explicit StepCounter(const Kernel& kernel) : kernel_(kernel) {}

  std::vector<LoopSteps> found;

  void count(const StmtPtr& s) {
    std::visit([&](const auto& statement) { count(statement); }, *s);
  }

 private:
  void count(const For& loop) {
    if (loop.processor == Processor::block)
      found.push_back(
          {loop.name, loop.extent ? literal(*loop.extent) : most_steps(loop), axis_of(loop)});
    else if (!loop.extent)
      found.push_back({loop.name, most_steps(loop)});
    const Bounds lower = known_part(Op::max, loop.lower), upper = known_part(Op::min, loop.upper);
    if (lower.known() && upper.known())
      variables_[loop.variable] = {lower.lowest, upper.highest - literal(1)};
    known_.clear();
    count(loop.body);
    variables_.erase(loop.variable);
    known_.clear();
  }
  void count(const If& s) {
    count(s.then);
    if (s.otherwise) count(s.otherwise);
  }
  void count(const Block& s) {
    for (const StmtPtr& part : s.body) count(part);
  }
  void count(const Allocate& s) { count(s.body); }
  void count(const Launch& s) { count(s.body); }
  void count(const ThreadGuard& s) { count(s.body); }
  void count(const Execute&) {}
  void count(const Free&) {}
  void count(const PrefetchBox&) {}
  void count(const Barrier&) {}
  void count(const AwaitCopies&) {}
  void count(const DeviceCopy&) {}
  void count(const Mma& s) { count(s.loops); }
  void count(const Exchange&) {}  // over elements, which exist
  void count(const Agree&) {}

  // max(a, ?) is at least a, and min(a, ?) at most a.
  Bounds known_part(Op extremum, const Expr& e) {
    const Bounds whole = bounds(e);
    if (whole.known() || e.op() != extremum) return whole;
    const Bounds a = known_part(extremum, e.args()[0]);
    return a.known() ? a : known_part(extremum, e.args()[1]);
  }

  Expr most_steps(const For& loop) {
    Expr most;
    for (const Expr& u : operands_of(Op::min, loop.upper))
      for (const Expr& l : operands_of(Op::max, loop.lower)) {
        const Expr here = bounds(linear_form(u - l)).highest;
        if (here.defined()) most = most.defined() ? min(most, here) : here;
      }
    if (!most.defined())
      throw cannot_generate("the number of iterations of loop " + loop.name + " in " +
                            kernel_.name + " is not bounded by the parameters");
    return most;
  }

  Bounds bounds(const Expr& e) {
    return known_(e, [&] { return bounds(linear_form(e)); });
  }

  Bounds bounds(const LinearForm& form) {
    Bounds sum{literal(form.constant), literal(form.constant)};
    for (const LinearForm::Term& term : form.terms) {
      const Bounds b = bounds_of_atom(term.atom);
      if (!b.known()) return {};
      const Expr factor = literal(term.factor);
      sum.lowest = sum.lowest + (term.factor > 0 ? b.lowest : b.highest) * factor;
      sum.highest = sum.highest + (term.factor > 0 ? b.highest : b.lowest) * factor;
    }
    return sum;
  }

  Bounds bounds_of_atom(const Expr& e) {
    switch (e.op()) {
      case Op::parameter: return {e, e};
      case Op::variable: {
        const auto found = variables_.find(e.name());
        return found == variables_.end() ? Bounds() : found->second;
      }
      case Op::named: return bounds(e.args()[0]);
      case Op::checked: return {bounds(e.args()[1]).lowest, bounds(e.args()[2]).highest};
      case Op::select: return joined(bounds(e.args()[1]), bounds(e.args()[2]));
      default: return e.args().size() == 2 ? combined(e) : Bounds();
    }
  }

  static Bounds joined(const Bounds& a, const Bounds& b) {
    if (!a.known() || !b.known()) return {};
    return {min(a.lowest, b.lowest), max(a.highest, b.highest)};
  }

  Bounds combined(const Expr& e) {
    const Bounds a = bounds(e.args()[0]), b = bounds(e.args()[1]);
    if (!a.known() || !b.known()) return {};
    const Expr& divisor = e.args()[1];
    const bool simple = divisor.op() == Op::constant && divisor.node().integer > 0;
    switch (e.op()) {
      case Op::min: return {min(a.lowest, b.lowest), min(a.highest, b.highest)};
      case Op::max: return {max(a.lowest, b.lowest), max(a.highest, b.highest)};
      case Op::mul: return product(a, b);
      case Op::div:
        if (is_size(divisor)) return {min(a.lowest, literal(0)), max(a.highest, literal(0))};
        return simple ? Bounds{a.lowest / divisor, a.highest / divisor} : Bounds();
      case Op::mod: return simple ? Bounds{literal(0), divisor - literal(1)} : Bounds();
      default: return {};
    }
  }

  // Is "e" a parameter that the kernel checks to be 1 or more?
  bool is_size(const Expr& e) const {
    return e.op() == Op::parameter &&
           std::any_of(kernel_.assumptions.begin(), kernel_.assumptions.end(),
                       [&](const Assumption& a) { return same(a.condition, e >= 1); });
  }

  static Bounds product(const Bounds& a, const Bounds& b) {
    const Expr p = a.lowest * b.lowest, q = a.lowest * b.highest, r = a.highest * b.lowest,
               s = a.highest * b.highest;
    return {min(min(p, q), min(r, s)), max(max(p, q), max(r, s))};
  }

  const Kernel& kernel_;
  std::map<std::string, Bounds> variables_;
  Memo<Bounds> known_;  // with these variables
};

}  // namespace

std::vector<LoopSteps> find_steps_of_loops(const Kernel& kernel) {
  StepCounter counter(kernel);
  for (const StmtPtr& body : bodies(kernel)) counter.count(body);
  return counter.found;
}

}  // namespace strata
