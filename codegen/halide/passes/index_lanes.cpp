#include "codegen/halide/passes/passes.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

class IndicesInLanes : public hi::IRMutator {
  using hi::IRMutator::visit;

  HStmt visit(const hi::For* op) override {
    if (op->for_type != hi::ForType::Vectorized) return hi::IRMutator::visit(op);
    const hi::ScopedBinding<> lanes(differ_, op->name);
    lanes_.push_back(hi::Variable::make(Halide::Int(32), op->name));
    const HStmt result = hi::IRMutator::visit(op);
    lanes_.pop_back();
    return result;
  }
  HExpr visit(const hi::Let* op) override { return visit_let(op); }
  HStmt visit(const hi::LetStmt* op) override { return visit_let(op); }

  template <typename Let>
  auto visit_let(const Let* op) -> decltype(op->body) {
    const hi::ScopedBinding<> lanes(differs(op->value), differ_, op->name);
    return hi::IRMutator::visit(op);
  }

  HExpr visit(const hi::Load* op) override {
    const HExpr inside = hi::IRMutator::visit(op);
    const auto* load = inside.as<hi::Load>();
    if (!differs(load->predicate) || differs(load->index)) return inside;
    HExpr index = load->index;
    for (const HExpr& lane : lanes_) {
      const HExpr v = hi::Cast::make(index.type(), lane);
      index = hi::Add::make(index, hi::Sub::make(v, v));
    }
    return hi::Load::make(load->type, load->name, index, load->image, load->param, load->predicate,
                          load->alignment);
  }

  bool differs(const HExpr& e) const { return !lanes_.empty() && hi::expr_uses_vars(e, differ_); }

  hi::Scope<> differ_;  // from lane to lane
  std::vector<HExpr> lanes_;
};

}  // namespace

HStmt with_indices_in_lanes(const HStmt& statement) { return IndicesInLanes().mutate(statement); }

}  // namespace strata::halide
