#include <optional>

#include "codegen/halide/passes/passes.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

class ShortQuotients : public hi::IRMutator {
 private:
  using IRMutator::visit;

  HStmt visit(const hi::For* op) override {
    hi::ConstantInterval range = bounds(op->min);
    const hi::ConstantInterval extent = bounds(op->extent);
    range.max_defined = range.max_defined && extent.max_defined;
    if (range.max_defined) range.max += extent.max - 1;
    const hi::ScopedBinding<hi::ConstantInterval> known(ranges_, op->name, range);
    launches_ += hi::is_gpu(op->for_type);
    HStmt loop = IRMutator::visit(op);
    launches_ -= hi::is_gpu(op->for_type);
    return loop;
  }
  HExpr visit(const hi::Let* op) override { return visit_let(op); }
  HStmt visit(const hi::LetStmt* op) override { return visit_let(op); }

  template <typename Let>
  auto visit_let(const Let* op) -> decltype(op->body) {
    const bool is_index = op->value.type().is_int();
    const hi::ScopedBinding<hi::ConstantInterval> known(
        is_index, ranges_, op->name, is_index ? bounds(op->value) : hi::ConstantInterval());
    return IRMutator::visit(op);
  }

  HExpr visit(const hi::Div* op) override {
    const auto found = shortened(op->a, op->b);
    if (!found) return IRMutator::visit(op);
    const HExpr quotient = Halide::cast(op->type, found->dividend / found->divisor);
    return found->less == 0 ? quotient : quotient - hi::make_const(op->type, found->less);
  }
  HExpr visit(const hi::Mod* op) override {
    const auto found = shortened(op->a, op->b);
    if (!found) return IRMutator::visit(op);
    return Halide::cast(op->type, found->dividend % found->divisor);
  }

  // a / c = dividend / divisor - less
  struct Short {
    HExpr dividend, divisor;
    std::int64_t less;
  };

  std::optional<Short> shortened(const HExpr& a, const HExpr& b) {
    constexpr std::int64_t end = std::int64_t{1} << 32;
    const auto c = hi::as_const_int(b);
    if (launches_ == 0 || a.type() != Halide::Int(64) || !c || *c <= 0 || *c >= end)
      return std::nullopt;
    const bool shifts = (*c & (*c - 1)) == 0;
    if (shifts) return std::nullopt;
    const hi::ConstantInterval range = bounds(a);
    if (!range.min_defined || !range.max_defined || range.min <= -end || range.max >= end)
      return std::nullopt;
    const std::int64_t less = range.min < 0 ? (-range.min - 1) / *c + 1 : 0;
    if (range.max + less * *c >= end) return std::nullopt;
    const HType word = Halide::UInt(32);
    return Short{Halide::cast(word, mutate(a) + hi::make_const(a.type(), less * *c)),
                 hi::make_const(word, *c), less};
  }

  hi::ConstantInterval bounds(const HExpr& e) const {
    return hi::constant_integer_bounds(e, ranges_);
  }

  int launches_ = 0;  // around
  hi::Scope<hi::ConstantInterval> ranges_;
};

}  // namespace

HStmt with_short_quotients(const HStmt& statement) { return ShortQuotients().mutate(statement); }

}  // namespace strata::halide
