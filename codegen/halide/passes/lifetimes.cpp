// Shortens the live range of temporaries to the span from their first use to their last.
#include "codegen/halide/passes/passes.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

bool uses(const HStmt& s, const std::string& name) { return hi::stmt_uses_var(s, name); }

HStmt with_body(const hi::Allocate* a, const HStmt& body) {
  return hi::Allocate::make(a->name, a->type, a->memory_type, a->extents, a->condition, body,
                            a->new_expr, a->free_function, a->padding);
}

// let pointer = halide_malloc(..) in { assert(pointer); allocate pointer.memory in body }
struct Heap {
  const hi::LetStmt* let;
  const hi::Block* tested;
  const hi::Allocate* allocation;

  HStmt around(const HStmt& body) const {
    const HStmt inside = hi::Block::make(tested->first, with_body(allocation, body));
    return hi::LetStmt::make(let->name, let->value, inside);
  }
};

const hi::Allocate* heap_allocation(const hi::LetStmt* let) {
  const auto* call = let->value.as<hi::Call>();
  const auto* tested = let->body.as<hi::Block>();
  if (!call || call->name != "halide_malloc" || !tested) return nullptr;
  return tested->rest.as<hi::Allocate>();
}

class Narrowing {
 public:
  explicit Narrowing(const Heap& heap) : heap_(heap), name_(heap.let->name) {}

  // Statements before the first use stay outside the allocation ..
  HStmt begun(const HStmt& s) const {
    if (!uses(s, name_)) return s;
    if (const auto* let = s.as<hi::LetStmt>())
      if (!hi::expr_uses_var(let->value, name_))
        return hi::LetStmt::make(let->name, let->value, begun(let->body));
    if (const auto* a = s.as<hi::Allocate>()) return with_body(a, begun(a->body));
    const auto* block = s.as<hi::Block>();
    if (block && !uses(block->first, name_))
      return hi::Block::make(block->first, begun(block->rest));
    return heap_.around(ended(s));
  }

 private:
  // .. and statements after the last use come after it is freed.
  HStmt ended(const HStmt& s) const {
    if (const auto* let = s.as<hi::LetStmt>())
      return hi::LetStmt::make(let->name, let->value, ended(let->body));
    if (const auto* a = s.as<hi::Allocate>()) return with_body(a, ended(a->body));
    if (const auto* block = s.as<hi::Block>()) {
      if (uses(block->rest, name_)) return hi::Block::make(block->first, ended(block->rest));
      return hi::Block::make(ended(block->first), block->rest);
    }
    return hi::Block::make(s, hi::Free::make(heap_.allocation->name));
  }

  const Heap& heap_;
  const std::string& name_;
};

class NarrowLifetimes : public hi::IRMutator {
  using hi::IRMutator::visit;
  HStmt visit(const hi::LetStmt* op) override {
    const HStmt mutated = hi::IRMutator::visit(op);
    const auto* let = mutated.as<hi::LetStmt>();
    const hi::Allocate* allocation = heap_allocation(let);
    if (!allocation) return mutated;
    const Heap heap{let, let->body.as<hi::Block>(), allocation};
    return Narrowing(heap).begun(allocation->body);
  }
};

}  // namespace

HStmt with_narrow_lifetimes(const HStmt& statement) { return NarrowLifetimes().mutate(statement); }

}  // namespace strata::halide
