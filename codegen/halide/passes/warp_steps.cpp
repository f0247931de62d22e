#include "codegen/halide/passes/warp_steps.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codegen/halide/arithmetic/atomic_steps.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

constexpr int lanes = 32;  // the threads of a warp

HExpr number(int n) { return HExpr(std::int32_t{n}); }

HExpr all_threads() { return number(-1); }

HExpr device_function(const HType& type, const std::string& name, const std::vector<HExpr>& args) {
  return hi::Call::make(type, "llvm.nvvm." + name, args, hi::Call::PureExtern);
}

HExpr shuffle(const HExpr& value, int bit) {
  return device_function(value.type(),
                         value.type().is_float() ? "shfl.sync.bfly.f32" : "shfl.sync.bfly.i32",
                         {all_threads(), value, number(bit), number(lanes - 1)});
}

// A condition around a step or, with a name, a value that is bound to it there.
struct Guard {
  HExpr value;
  std::string name;
};

struct GuardedStep {
  const hi::Store* store = nullptr;
  std::vector<Guard> guards;  // the outermost first
};

void add_conjuncts(const HExpr& condition, std::vector<Guard>& all) {
  if (const auto* both = condition.as<hi::And>()) {
    add_conjuncts(both->a, all);
    add_conjuncts(both->b, all);
  } else {
    all.push_back({condition, ""});
  }
}

GuardedStep guarded_step(const HStmt& statement) {
  GuardedStep found;
  for (HStmt at = statement;;) {
    if (const auto* branch = at.as<hi::IfThenElse>(); branch && !branch->else_case.defined()) {
      add_conjuncts(branch->condition, found.guards);
      at = branch->then_case;
    } else if (const auto* let = at.as<hi::LetStmt>()) {
      found.guards.push_back({let->value, let->name});
      at = let->body;
    } else {
      found.store = at.as<hi::Store>();
      return found;
    }
  }
}

HStmt within(const std::vector<Guard>& guards, HStmt inside) {
  for (auto guard = guards.rbegin(); guard != guards.rend(); ++guard)
    inside = guard->name.empty() ? hi::IfThenElse::make(guard->value, inside)
                                 : hi::LetStmt::make(guard->name, guard->value, inside);
  return inside;
}

// The thread for which "first" holds takes the step, with the contributions of all threads of the
// warp.
HStmt taken_once(const hi::Store& store, const AtomicStep& step, const HExpr& value,
                 const HExpr& first) {
  const std::string name = store.name + ".warp_";
  HExpr sum = value;
  std::vector<Guard> lets;
  const auto bind = [&](const HExpr& e) {
    lets.push_back({e, name + std::to_string(lets.size())});
    sum = hi::Variable::make(e.type(), lets.back().name);
  };
  bind(value);
  for (int bit = lanes / 2; bit > 0; bit /= 2) {
    const HExpr own = sum;
    bind(shuffle(own, bit));
    bind(combined(step, own, sum));
  }
  return within(lets, hi::IfThenElse::make(first, with_value(store, sum)));
}

class WarpSteps : public hi::IRMutator {
 private:
  using IRMutator::visit;

  // True if "e" may differ between the threads of a warp.
  bool varies(const HExpr& e) const {
    class Search : public hi::IRVisitor {
     public:
      explicit Search(const std::set<std::string>& names) : names_(names) {}
      bool found = false;

     private:
      using IRVisitor::visit;
      void visit(const hi::Variable* op) override { found = found || names_.count(op->name) > 0; }
      void visit(const hi::Load*) override { found = true; }
      void visit(const hi::Call* op) override {
        found = found || !op->is_pure();
        IRVisitor::visit(op);
      }
      const std::set<std::string>& names_;
    } search(varying_);
    e.accept(&search);
    return search.found;
  }

  static bool reads_memory(const HExpr& e) {
    class Search : public hi::IRVisitor {
     public:
      bool found = false;

     private:
      using IRVisitor::visit;
      void visit(const hi::Load*) override { found = true; }
    } search;
    e.accept(&search);
    return search.found;
  }

  HStmt visit(const hi::LetStmt* op) override {
    if (HStmt once = as_one_step(op); once.defined()) return once;
    const bool was = varying_.count(op->name) > 0;
    if (varies(op->value)) varying_.insert(op->name);
    HStmt result = IRMutator::visit(op);
    if (!was) varying_.erase(op->name);
    return result;
  }

  HStmt visit(const hi::For* op) override {
    const auto before = std::tuple(apart_, x_);
    const bool is_thread = op->for_type == hi::ForType::GPUThread;
    const auto extent = hi::as_const_int(op->extent);
    apart_ = apart_ || varies(op->min) || varies(op->extent);
    if (is_thread && op->name.ends_with("thread_id_x")) {
      varying_.insert(op->name);
      x_ = extent && *extent % lanes == 0 && hi::is_const_zero(op->min) ? op->name : "";
    }
    HStmt result = IRMutator::visit(op);
    std::tie(apart_, x_) = before;
    return result;
  }

  HStmt visit(const hi::IfThenElse* op) override {
    if (HStmt once = as_one_step(op); once.defined()) return once;
    const bool parts = !is_of_warp(op->condition) && varies(op->condition);
    const bool before = std::exchange(apart_, apart_ || parts);
    HStmt result = IRMutator::visit(op);
    apart_ = before;
    return result;
  }

  HStmt visit(const hi::Store* op) override {
    const HStmt once = as_one_step(op);
    return once.defined() ? once : IRMutator::visit(op);
  }

  // x < 32 n
  bool is_of_warp(const HExpr& condition) const {
    const auto* less = condition.as<hi::LT>();
    const auto* x = less ? less->a.as<hi::Variable>() : nullptr;
    const auto end = x && x->name == x_ ? hi::as_const_int(less->b) : std::nullopt;
    return end && *end % lanes == 0;
  }

  HStmt as_one_step(const HStmt& statement) {
    const GuardedStep found = guarded_step(statement);
    const auto step = found.store && !x_.empty() && !apart_ ? step_in(*found.store) : std::nullopt;
    const bool fits = step && step->api == Halide::DeviceAPI::CUDA &&
                      step->value.type().is_scalar() && step->value.type().bits() == 32;
    if (!fits) return {};
    const std::set<std::string> before = varying_;
    HStmt result = among_guards(found, *step);
    varying_ = before;
    return result;
  }

  // Null if threads of a warp may come to different places. Null also if a guard that depends on
  // the thread reads memory: it may do so only under the guards before it.
  HStmt among_guards(const GuardedStep& found, const AtomicStep& step) {
    std::vector<Guard> alike;
    HExpr own;
    for (const Guard& guard : found.guards) {
      const bool is_let = !guard.name.empty();
      const bool differs = !is_of_warp(guard.value) && varies(guard.value);
      if (differs && reads_memory(guard.value)) return {};
      if (differs && is_let) varying_.insert(guard.name);
      if (!differs || is_let)
        alike.push_back(guard);
      else
        own = own.defined() ? own && guard.value : guard.value;
    }
    if (varies(found.store->index)) return {};
    return within(alike, own.defined() ? by_some(*found.store, step, own)
                                       : taken_once(*found.store, step, step.value, lane() == 0));
  }

  // The number of the thread in its warp.
  HExpr lane() const { return hi::Variable::make(Halide::Int(32), x_) % lanes; }

  HStmt by_some(const hi::Store& store, const AtomicStep& step, const HExpr& own) const {
    const HType word = Halide::UInt(32);
    const std::string name = store.name + ".voters";
    const HExpr voters = hi::Variable::make(word, name), one = hi::make_one(word);
    const HExpr before = (one << Halide::cast(word, lane())) - one;
    const HExpr value = hi::Call::make(step.value.type(), hi::Call::if_then_else,
                                       {own, step.value, neutral(step)}, hi::Call::PureIntrinsic);
    return hi::LetStmt::make(
        name, device_function(word, "vote.ballot.sync", {all_threads(), own}),
        taken_once(store, step, value, own && (voters & before) == hi::make_zero(word)));
  }

  std::string x_;                  // the variable of threads on axis x, of whole warps; or ""
  bool apart_ = false;             // a thread of a warp may come here without the others
  std::set<std::string> varying_;  // variables with values that may differ in a warp
};

}  // namespace

HStmt with_warp_steps(const HStmt& statement) { return WarpSteps().mutate(statement); }

}  // namespace strata::halide
