#include <algorithm>
#include <map>
#include <optional>

#include "codegen/halide/passes/passes.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

constexpr std::int64_t fewest_steps = 9, most_of_turn = 16;

// The body of a loop: the outermost quotients and remainders of indices that differ from step to
// step, and the names bound to such indices. It is plain if it has no loop or allocation inside and
// binds each of these names once.
class StepBody : public hi::IRVisitor {
 public:
  explicit StepBody(const hi::For& loop) : step(loop.name) {
    moving_.push(step);
    loop.body.accept(this);
  }

  const std::string step;
  std::vector<HExpr> quotients;
  std::map<std::string, HExpr> bound;
  bool is_plain = true;

  bool differs(const HExpr& e) const { return hi::expr_uses_vars(e, moving_); }

 private:
  using IRVisitor::visit;
  void visit(const hi::Div* op) override { add(op); }
  void visit(const hi::Mod* op) override { add(op); }
  void visit(const hi::For*) override { is_plain = false; }
  void visit(const hi::Allocate*) override { is_plain = false; }
  void visit(const hi::Let* op) override { visit_let(op); }
  void visit(const hi::LetStmt* op) override { visit_let(op); }
  void add(const HExpr& e) {
    if (e.type() == Halide::Int(64) && differs(e)) quotients.push_back(e);
  }
  template <typename Let>
  void visit_let(const Let* op) {
    op->value.accept(this);
    if (op->value.type() == Halide::Int(64) && differs(op->value)) {
      is_plain = is_plain && bound.emplace(op->name, op->value).second;
      moving_.push(op->name);
    }
    op->body.accept(this);
  }

  hi::Scope<> moving_;
};

// The growth of indices in "steps" steps of a loop, if it is constant and no quotient rounds
// differently.
class Advance {
 public:
  Advance(const StepBody& body, std::int64_t steps) : body_(body), steps_(steps) {}

  std::optional<std::int64_t> of(const HExpr& e) {
    if (!body_.differs(e)) return 0;
    if (const auto* variable = e.as<hi::Variable>()) return of_name(variable->name);
    if (const auto* cast = e.as<hi::Cast>())
      return cast->type == Halide::Int(64) ? of(cast->value) : std::nullopt;
    if (const auto* sum = e.as<hi::Add>()) return of_sum(sum->a, sum->b, 1);
    if (const auto* difference = e.as<hi::Sub>()) return of_sum(difference->a, difference->b, -1);
    if (const auto* product = e.as<hi::Mul>()) {
      const auto found = of_multiple(product->a, product->b);
      return found ? found : of_multiple(product->b, product->a);
    }
    if (const auto* quotient = e.as<hi::Div>()) return of_quotient(quotient->a, quotient->b);
    if (const auto* rest = e.as<hi::Mod>())
      return of_quotient(rest->a, rest->b) ? std::optional<std::int64_t>(0) : std::nullopt;
    return std::nullopt;
  }

 private:
  std::optional<std::int64_t> of_name(const std::string& name) {
    if (name == body_.step) return steps_;
    const auto known = of_bound_.find(name);
    if (known != of_bound_.end()) return known->second;
    const auto value = body_.bound.find(name);
    return of_bound_[name] = value == body_.bound.end() ? std::nullopt : of(value->second);
  }
  std::optional<std::int64_t> of_sum(const HExpr& a, const HExpr& b, std::int64_t sign) {
    const auto first = of(a), second = of(b);
    return first && second ? std::optional(*first + sign * *second) : std::nullopt;
  }
  std::optional<std::int64_t> of_multiple(const HExpr& a, const HExpr& b) {
    const auto factor = hi::as_const_int(b), by = factor ? of(a) : std::nullopt;
    std::int64_t product = 0;
    if (!by || __builtin_mul_overflow(*factor, *by, &product)) return std::nullopt;
    return product;
  }
  std::optional<std::int64_t> of_quotient(const HExpr& a, const HExpr& b) {
    const auto c = hi::as_const_int(b), by = c && *c > 0 ? of(a) : std::nullopt;
    return by && *by % *c == 0 ? std::optional(*by / *c) : std::nullopt;
  }

  const StepBody& body_;
  const std::int64_t steps_;
  std::map<std::string, std::optional<std::int64_t>> of_bound_;
};

// The fewest steps after which all quotients move by constants.
std::optional<std::int64_t> steps_of_turn(const StepBody& body) {
  if (!body.is_plain || body.quotients.empty()) return std::nullopt;
  for (std::int64_t steps = 1; steps <= most_of_turn; ++steps) {
    Advance advance(body, steps);
    if (std::all_of(body.quotients.begin(), body.quotients.end(),
                    [&](const HExpr& e) { return advance.of(e).has_value(); }))
      return steps > 1 ? std::optional(steps) : std::nullopt;
  }
  return std::nullopt;
}

// The body at step  steps * turn + within. For quotients, and names bound to such indices:
//     e   ~>   (e at within) + (its advance in a turn) turn
class AtTurn : public hi::IRMutator {
 public:
  AtTurn(const StepBody& body, std::int64_t steps, HExpr turn, const HExpr& within)
      : body_(body), steps_(steps), advance_(body, steps), turn_(std::move(turn)) {
    at_within_[body.step] = within;
  }

 private:
  using IRMutator::visit;
  HExpr visit(const hi::Variable* op) override {
    return op->name == body_.step ? turn_ * int(steps_) + at_within_[op->name] : HExpr(op);
  }
  HExpr visit(const hi::Div* op) override { return moved(op); }
  HExpr visit(const hi::Mod* op) override { return moved(op); }
  HExpr visit(const hi::Let* op) override { return visit_let(op); }
  HStmt visit(const hi::LetStmt* op) override { return visit_let(op); }

  HExpr moved(const HExpr& e) {
    if (e.type() != Halide::Int(64) || !body_.differs(e)) return e;
    return later(hi::substitute(at_within_, e), *advance_.of(e));
  }
  HExpr later(const HExpr& e, std::int64_t advance) const {
    return e + hi::make_const(e.type(), advance) * Halide::cast(e.type(), turn_);
  }
  template <typename Let>
  auto visit_let(const Let* op) -> decltype(op->body) {
    const bool differs = body_.bound.count(op->name) > 0;
    const auto advance = differs ? advance_.of(op->value) : std::nullopt;
    if (!advance) return Let::make(op->name, mutate(op->value), mutate(op->body));
    const HExpr value = hi::substitute(at_within_, op->value);
    const std::string name = op->name + ".within";
    const HExpr within = at_within_[op->name] = hi::Variable::make(value.type(), name);
    return Let::make(name, value, Let::make(op->name, later(within, *advance), mutate(op->body)));
  }

  const StepBody& body_;
  const std::int64_t steps_;
  Advance advance_;
  const HExpr turn_;
  std::map<std::string, HExpr> at_within_;
};

class Turns : public hi::IRMutator {
 private:
  using IRMutator::visit;
  HStmt visit(const hi::For* op) override {
    const bool launch = hi::is_gpu(op->for_type);
    launches_ += launch;
    const HStmt loop = IRMutator::visit(op);
    launches_ -= launch;
    return launches_ > 0 ? in_turns(loop.as<hi::For>()) : loop;
  }

  static HStmt in_turns(const hi::For* loop) {
    const auto count = hi::as_const_int(loop->extent);
    if (loop->for_type != hi::ForType::Serial || !count || *count < fewest_steps) return loop;
    const StepBody one(*loop);
    const auto steps = hi::is_const_zero(loop->min) ? steps_of_turn(one) : std::nullopt;
    if (!steps) return loop;
    const auto part = [&](const char* what, std::int64_t extent, hi::ForType type,
                          const HStmt& body) {
      return hi::For::make(loop->name + what, 0, int(extent), type, loop->partition_policy,
                           loop->device_api, body);
    };
    const HExpr turn = hi::Variable::make(Halide::Int(32), loop->name + ".turn"),
                within = hi::Variable::make(Halide::Int(32), loop->name + ".within");
    HStmt body = AtTurn(one, *steps, turn, within).mutate(loop->body);
    if (*count % *steps != 0)
      body = hi::IfThenElse::make(turn * int(*steps) + within < int(*count), body);
    return part(".turn", (*count - 1) / *steps + 1, hi::ForType::Serial,
                part(".within", *steps, hi::ForType::Unrolled, body));
  }

  int launches_ = 0;  // around
};

}  // namespace

HStmt with_turns(const HStmt& statement) { return Turns().mutate(statement); }

}  // namespace strata::halide
