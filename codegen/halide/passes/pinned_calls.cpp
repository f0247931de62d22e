#include "codegen/halide/arithmetic/device_floats.h"
#include "codegen/halide/passes/passes.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

// Changes the call type of functions that only a device has.
class Retyped : public hi::IRMutator {
 public:
  explicit Retyped(hi::Call::CallType type) : type_(type) {}

 private:
  using IRMutator::visit;
  HExpr visit(const hi::Call* op) override {
    const HExpr call = IRMutator::visit(op);
    if (!is_on_device_alone(op->name)) return call;
    return hi::Call::make(op->type, op->name, call.as<hi::Call>()->args, type_);
  }
  const hi::Call::CallType type_;
};

}  // namespace

HStmt with_pinned_calls(const HStmt& statement, HStmt (*pass)(HStmt)) {
  const HStmt pinned = Retyped(hi::Call::Extern).mutate(statement);
  return Retyped(hi::Call::PureExtern).mutate(pass(pinned));
}

}  // namespace strata::halide
