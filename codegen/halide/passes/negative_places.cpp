#include "codegen/halide/passes/passes.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

class NegativePlaces : public hi::IRMutator {
 private:
  using IRMutator::visit;

  HExpr visit(const hi::Load* op) override {
    const HExpr loaded = IRMutator::visit(op);
    const auto* load = loaded.as<hi::Load>();
    const hi::Ramp* places = negative_places(load->index);
    if (!places) return loaded;
    const std::string name = hi::unique_name('t');
    return hi::Let::make(
        name, places->base,
        hi::Load::make(load->type, load->name, begun_at(name, *places), load->image, load->param,
                       load->predicate, load->alignment));
  }

  HStmt visit(const hi::Store* op) override {
    const HStmt stored = IRMutator::visit(op);
    const auto* store = stored.as<hi::Store>();
    const hi::Ramp* places = negative_places(store->index);
    if (!places) return stored;
    const std::string name = hi::unique_name('t');
    return hi::LetStmt::make(name, places->base,
                             hi::Store::make(store->name, store->value, begun_at(name, *places),
                                             store->param, store->predicate, store->alignment));
  }

  // The index, if it is a ramp of constants with a negative one among them.
  static const hi::Ramp* negative_places(const HExpr& index) {
    const auto* ramp = index.as<hi::Ramp>();
    if (!ramp) return nullptr;
    const auto base = hi::as_const_int(ramp->base), stride = hi::as_const_int(ramp->stride);
    if (!base || !stride) return nullptr;
    return *base < 0 || *base + *stride * (ramp->lanes - 1) < 0 ? ramp : nullptr;
  }

  static HExpr begun_at(const std::string& name, const hi::Ramp& places) {
    return hi::Ramp::make(hi::Variable::make(places.base.type(), name), places.stride,
                          places.lanes);
  }
};

}  // namespace

HStmt with_negative_places_named(const HStmt& statement) {
  return NegativePlaces().mutate(statement);
}

}  // namespace strata::halide
