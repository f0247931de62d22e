// Gives memory back where the loop tree frees it.
#include <map>

#include "codegen/halide/passes/passes.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

class EarlyFrees : public hi::IRMutator {
  using hi::IRMutator::visit;

  HStmt visit(const hi::Allocate* op) override {
    if (const auto* pointer = op->new_expr.as<hi::Variable>())
      allocations_[pointer->name] = op->name;
    return hi::IRMutator::visit(op);
  }

  HStmt visit(const hi::Evaluate* op) override {
    const auto* call = op->value.as<hi::Call>();
    if (!call || call->name != free_early) return op;
    return hi::Free::make(allocations_.at(call->args[0].as<hi::Variable>()->name));
  }

  std::map<std::string, std::string> allocations_;  // by the name of their pointer
};

}  // namespace

HStmt with_early_frees(const HStmt& statement) { return EarlyFrees().mutate(statement); }

}  // namespace strata::halide
