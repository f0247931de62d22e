#include "codegen/halide/passes/passes.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

// Are these lanes some vectors of 128 bits and one lane? All native vectors are of a multiple of
// 128 bits, so others cannot leave one lane.
bool leaves_one_lane(const HType& type) {
  const int native = 128 / type.bits();
  return type.lanes() > native && type.lanes() % native == 1;
}

class LastLanes : public hi::IRMutator {
 private:
  using IRMutator::visit;

  HExpr visit(const hi::Load* op) override {
    const HExpr loaded = IRMutator::visit(op);
    const auto* load = loaded.as<hi::Load>();
    if (!is_split(load->type, load->index, load->predicate)) return loaded;
    const std::string mask = hi::unique_name('t');
    const HExpr named = hi::Variable::make(load->predicate.type(), mask);
    const auto part = [&](const Part& lanes) {
      return hi::Load::make(load->type.with_lanes(lanes.count), load->name,
                            places(load->index, lanes), load->image, load->param,
                            values(named, lanes), hi::ModulusRemainder());
    };
    const auto [first, last] = parts(load->type);
    return hi::Let::make(mask, load->predicate,
                         hi::Shuffle::make_concat({part(first), part(last)}));
  }

  HStmt visit(const hi::Store* op) override {
    const HStmt stored = IRMutator::visit(op);
    const auto* store = stored.as<hi::Store>();
    const HType type = store->value.type();
    if (!is_split(type, store->index, store->predicate)) return stored;
    const std::string mask = hi::unique_name('t'), value = hi::unique_name('t');
    const HExpr named = hi::Variable::make(store->predicate.type(), mask);
    const HExpr all = hi::Variable::make(type, value);
    const auto part = [&](const Part& lanes) {
      return hi::Store::make(store->name, values(all, lanes), places(store->index, lanes),
                             store->param, values(named, lanes), hi::ModulusRemainder());
    };
    const auto [first, last] = parts(type);
    const HStmt both = hi::Block::make(part(first), part(last));
    return hi::LetStmt::make(mask, store->predicate, hi::LetStmt::make(value, store->value, both));
  }

  struct Part {
    int begin, count;
  };
  static std::pair<Part, Part> parts(const HType& type) {
    return {{0, type.lanes() - 1}, {type.lanes() - 1, 1}};
  }

  static bool is_split(const HType& type, const HExpr& index, const HExpr& predicate) {
    return leaves_one_lane(type) && index.as<hi::Ramp>() && !hi::is_const_one(predicate);
  }

  static HExpr values(const HExpr& vector, const Part& lanes) {
    return lanes.count == 1 ? hi::Shuffle::make_extract_element(vector, lanes.begin)
                            : hi::Shuffle::make_slice(vector, lanes.begin, 1, lanes.count);
  }
  static HExpr places(const HExpr& index, const Part& lanes) {
    const auto* ramp = index.as<hi::Ramp>();
    const HExpr first = hi::simplify(ramp->base + ramp->stride * lanes.begin);
    return lanes.count == 1 ? first : hi::Ramp::make(first, ramp->stride, lanes.count);
  }
};

}  // namespace

HStmt with_last_lanes_apart(const HStmt& statement) { return LastLanes().mutate(statement); }

}  // namespace strata::halide
