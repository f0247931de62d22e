#include <algorithm>
#include <optional>

#include "codegen/halide/passes/passes.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

constexpr std::int64_t fewest_steps = 9, most_of_turn = 16;

bool uses(const HExpr& e, const std::string& name) { return hi::expr_uses_var(e, name); }

// How much larger "e" is after "steps" more steps of the loop over "step", if that is a constant
// and no quotient is rounded differently.
std::optional<std::int64_t> advance(const HExpr& e, const std::string& step, std::int64_t steps) {
  if (!uses(e, step)) return 0;
  if (e.as<hi::Variable>()) return steps;
  if (const auto* cast = e.as<hi::Cast>())
    return cast->type == Halide::Int(64) ? advance(cast->value, step, steps) : std::nullopt;
  const auto both = [&](const HExpr& a, const HExpr& b, std::int64_t sign) {
    const auto first = advance(a, step, steps), second = advance(b, step, steps);
    return first && second ? std::optional(*first + sign * *second) : std::nullopt;
  };
  if (const auto* sum = e.as<hi::Add>()) return both(sum->a, sum->b, 1);
  if (const auto* difference = e.as<hi::Sub>()) return both(difference->a, difference->b, -1);
  const auto scaled = [&](const HExpr& a, const HExpr& b) -> std::optional<std::int64_t> {
    const auto factor = hi::as_const_int(b), by = factor ? advance(a, step, steps) : std::nullopt;
    std::int64_t product = 0;
    if (!by || __builtin_mul_overflow(*factor, *by, &product)) return std::nullopt;
    return product;
  };
  if (const auto* product = e.as<hi::Mul>()) {
    const auto found = scaled(product->a, product->b);
    return found ? found : scaled(product->b, product->a);
  }
  const auto divided = [&](const HExpr& a, const HExpr& b) -> std::optional<std::int64_t> {
    const auto c = hi::as_const_int(b), by = c && *c > 0 ? advance(a, step, steps) : std::nullopt;
    return by && *by % *c == 0 ? std::optional(*by / *c) : std::nullopt;
  };
  if (const auto* quotient = e.as<hi::Div>()) return divided(quotient->a, quotient->b);
  if (const auto* rest = e.as<hi::Mod>())
    return divided(rest->a, rest->b) ? std::optional<std::int64_t>(0) : std::nullopt;
  return std::nullopt;
}

// The quotients and remainders of indices that differ from step to step, the outermost ones, and
// whether a loop or more than statements of one thread stands inside.
class Quotients : public hi::IRVisitor {
 public:
  explicit Quotients(const std::string& step) : step_(step) {}
  std::vector<HExpr> found;
  bool is_plain = true;

 private:
  using IRVisitor::visit;
  void visit(const hi::Div* op) override { add(op, op->type); }
  void visit(const hi::Mod* op) override { add(op, op->type); }
  void visit(const hi::For*) override { is_plain = false; }
  void visit(const hi::Allocate*) override { is_plain = false; }
  void add(const HExpr& e, const HType& type) {
    if (type == Halide::Int(64) && uses(e, step_)) found.push_back(e);
  }
  const std::string& step_;
};

// The fewest steps after which all quotients move by constants.
std::optional<std::int64_t> steps_of_turn(const hi::For& loop) {
  Quotients quotients(loop.name);
  loop.body.accept(&quotients);
  if (!quotients.is_plain || quotients.found.empty()) return std::nullopt;
  for (std::int64_t steps = 1; steps <= most_of_turn; ++steps)
    if (std::all_of(quotients.found.begin(), quotients.found.end(),
                    [&](const HExpr& e) { return advance(e, loop.name, steps).has_value(); }))
      return steps > 1 ? std::optional(steps) : std::nullopt;
  return std::nullopt;
}

// The body at step  steps * turn + within:
//     e / c   ~>   (e / c at within) + (its advance in a turn) turn
class AtTurn : public hi::IRMutator {
 public:
  AtTurn(const std::string& step, std::int64_t steps, HExpr turn, HExpr within)
      : step_(step), steps_(steps), turn_(std::move(turn)), within_(std::move(within)) {}

 private:
  using IRMutator::visit;
  HExpr visit(const hi::Variable* op) override {
    return op->name == step_ ? turn_ * int(steps_) + within_ : HExpr(op);
  }
  HExpr visit(const hi::Div* op) override { return moved(op, op->type); }
  HExpr visit(const hi::Mod* op) override { return moved(op, op->type); }
  HExpr moved(const HExpr& e, const HType& type) {
    if (type != Halide::Int(64) || !uses(e, step_)) return e;
    const HExpr factor = hi::make_const(type, *advance(e, step_, steps_));
    return hi::substitute(step_, within_, e) + factor * Halide::cast(type, turn_);
  }
  const std::string& step_;
  const std::int64_t steps_;
  const HExpr turn_, within_;
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
    const auto steps = hi::is_const_zero(loop->min) ? steps_of_turn(*loop) : std::nullopt;
    if (!steps) return loop;
    const auto part = [&](const char* what, std::int64_t extent, hi::ForType type,
                          const HStmt& body) {
      return hi::For::make(loop->name + what, 0, int(extent), type, loop->partition_policy,
                           loop->device_api, body);
    };
    const HExpr turn = hi::Variable::make(Halide::Int(32), loop->name + ".turn"),
                within = hi::Variable::make(Halide::Int(32), loop->name + ".within");
    HStmt body = AtTurn(loop->name, *steps, turn, within).mutate(loop->body);
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
