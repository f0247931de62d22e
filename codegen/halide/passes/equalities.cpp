#include "codegen/halide/passes/passes.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

class EqualityRewriter : public hi::IRMutator {
 private:
  using IRMutator::visit;

  HStmt visit(const hi::IfThenElse* op) override {
    HExpr condition = op->condition;
    const auto* equal = condition.as<hi::EQ>();
    if (equal && equal->a.type().is_scalar() && equal->a.type().bits() == 64)
      condition = hi::Not::make(hi::NE::make(equal->a, equal->b));
    const HStmt otherwise = op->else_case.defined() ? mutate(op->else_case) : HStmt();
    return hi::IfThenElse::make(condition, mutate(op->then_case), otherwise);
  }
};

}  // namespace

HStmt without_wide_switches(const HStmt& statement) { return EqualityRewriter().mutate(statement); }

}  // namespace strata::halide
