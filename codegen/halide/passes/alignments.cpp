#include <utility>

#include "codegen/halide/passes/passes.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;
using hi::ModulusRemainder;

class Alignments : public hi::IRMutator {
 private:
  using IRMutator::visit;

  HExpr visit(const hi::Let* op) override {
    const HExpr value = mutate(op->value);
    const hi::ScopedBinding<ModulusRemainder> bound(known_, op->name, known_of(value));
    return hi::Let::make(op->name, value, mutate(op->body));
  }
  HStmt visit(const hi::LetStmt* op) override {
    const HExpr value = mutate(op->value);
    const hi::ScopedBinding<ModulusRemainder> bound(known_, op->name, known_of(value));
    return hi::LetStmt::make(op->name, value, mutate(op->body));
  }
  HStmt visit(const hi::For* op) override {
    const hi::ScopedBinding<ModulusRemainder> bound(known_, op->name, ModulusRemainder());
    const bool outside = std::exchange(in_launch_, in_launch_ || is_launch(op));
    const HStmt result = IRMutator::visit(op);
    in_launch_ = outside;
    return result;
  }
  static bool is_launch(const hi::For* loop) { return loop->for_type == hi::ForType::GPUBlock; }

  HExpr visit(const hi::Load* op) override {
    if (!in_launch_) return IRMutator::visit(op);
    return hi::Load::make(op->type, op->name, mutate(op->index), op->image, op->param,
                          mutate(op->predicate), alignment_of(op->index));
  }
  HStmt visit(const hi::Store* op) override {
    if (!in_launch_) return IRMutator::visit(op);
    return hi::Store::make(op->name, mutate(op->value), mutate(op->index), op->param,
                           mutate(op->predicate), alignment_of(op->index));
  }

  ModulusRemainder known_of(const HExpr& value) const {
    const HType type = value.type();
    if (!type.is_scalar() || !type.is_int()) return {};
    return hi::modulus_remainder(value, known_);
  }
  ModulusRemainder alignment_of(const HExpr& index) const {
    const auto* ramp = index.as<hi::Ramp>();
    return ramp && hi::is_const_one(ramp->stride) ? known_of(ramp->base) : ModulusRemainder();
  }

  hi::Scope<ModulusRemainder> known_;  // of the names bound around
  bool in_launch_ = false;
};

}  // namespace

HStmt with_alignments(const HStmt& statement) { return Alignments().mutate(statement); }

}  // namespace strata::halide
