#include "codegen/halide/passes/passes.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

class PinnedAllocations : public hi::IRMutator {
  using hi::IRMutator::visit;
  HStmt visit(const hi::Allocate* op) override {
    const HStmt inside = hi::IRMutator::visit(op);
    const auto* allocation = inside.as<hi::Allocate>();
    if (!allocation->new_expr.defined()) return inside;
    return hi::Allocate::make(allocation->name, allocation->type, allocation->memory_type,
                              allocation->extents, allocation->condition,
                              hi::Block::make(allocation->body, hi::Evaluate::make(0)),
                              allocation->new_expr, allocation->free_function, allocation->padding);
  }
};

}  // namespace

HStmt with_pinned_allocations(const HStmt& statement) {
  return PinnedAllocations().mutate(statement);
}

}  // namespace strata::halide
