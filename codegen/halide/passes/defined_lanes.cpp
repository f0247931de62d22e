#include <set>
#include <string>
#include <utility>

#include "codegen/halide/passes/passes.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

// Visits the uses of a name before its value, to know which values decide something.
class DefinedLanes : public hi::IRMutator {
 private:
  using IRMutator::visit;

  HExpr visit(const hi::Load* op) override {
    const HExpr predicate = deciding([&] { return mutate(op->predicate); });
    const HExpr index = mutate(op->index);
    const HExpr load =
        hi::Load::make(op->type, op->name, index, op->image, op->param, predicate, op->alignment);
    if (!decides_ || !index.as<hi::Ramp>() || hi::is_const_one(predicate)) return load;
    return hi::Select::make(predicate, load, hi::make_zero(op->type));
  }
  HStmt visit(const hi::Store* op) override {
    const HExpr predicate = deciding([&] { return mutate(op->predicate); });
    return hi::Store::make(op->name, mutate(op->value), mutate(op->index), op->param, predicate,
                           op->alignment);
  }

  HExpr visit(const hi::Variable* op) override {
    if (decides_) deciding_.insert(op->name);
    return op;
  }
  HExpr visit(const hi::Let* op) override { return bound(op); }
  HStmt visit(const hi::LetStmt* op) override { return bound(op); }

  template <typename Let>
  auto bound(const Let* op) -> decltype(op->body) {
    const bool outside = deciding_.erase(op->name) > 0;
    const auto body = mutate(op->body);
    const HExpr value = deciding_.erase(op->name) > 0 ? deciding([&] { return mutate(op->value); })
                                                      : mutate(op->value);
    if (outside) deciding_.insert(op->name);
    return Let::make(op->name, value, body);
  }

  HExpr visit(const hi::EQ* op) override { return decided(op); }
  HExpr visit(const hi::NE* op) override { return decided(op); }
  HExpr visit(const hi::LT* op) override { return decided(op); }
  HExpr visit(const hi::LE* op) override { return decided(op); }
  HExpr visit(const hi::GT* op) override { return decided(op); }
  HExpr visit(const hi::GE* op) override { return decided(op); }
  HExpr visit(const hi::Div* op) override { return decided(op); }
  HExpr visit(const hi::Mod* op) override { return decided(op); }
  HExpr visit(const hi::And* op) override { return decided(op); }
  HExpr visit(const hi::Or* op) override { return decided(op); }
  HExpr visit(const hi::Not* op) override { return decided(op); }

  template <typename Op>
  HExpr decided(const Op* op) {
    return deciding([&] { return IRMutator::visit(op); });
  }

  template <typename Mutate>
  HExpr deciding(const Mutate& mutated) {
    const bool outside = std::exchange(decides_, true);
    HExpr result = mutated();
    decides_ = outside;
    return result;
  }

  bool decides_ = false;
  std::set<std::string> deciding_;  // names of values that decide something
};

}  // namespace

HStmt with_deciding_lanes_defined(const HStmt& statement) {
  return DefinedLanes().mutate(statement);
}

}  // namespace strata::halide
