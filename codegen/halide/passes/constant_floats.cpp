#include <cmath>
#include <optional>

#include "codegen/halide/arithmetic/math_functions.h"
#include "codegen/halide/passes/passes.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;
using hi::Call;

template <typename T>
std::optional<double> rounded_once(const Call* op, T a, T b) {
  if (op->is_intrinsic(Call::strict_add)) return a + b;
  if (op->is_intrinsic(Call::strict_sub)) return a - b;
  if (op->is_intrinsic(Call::strict_mul)) return a * b;
  if (op->is_intrinsic(Call::strict_div)) return a / b;
  return std::nullopt;
}

class ConstantFloats : public hi::IRMutator {
  using hi::IRMutator::visit;

  HExpr visit(const Call* op) override {
    const HExpr inside = hi::IRMutator::visit(op);
    const auto* call = inside.as<Call>();
    if (!call || !call->type.is_float() || call->type.is_vector()) return inside;
    const auto value = value_of(call);
    // Zero has a sign, which Halide forgets.
    if (!value || !std::isfinite(*value) || *value == 0) return inside;
    return hi::make_const(call->type, *value);
  }

  static std::optional<double> value_of(const Call* call) {
    std::vector<double> operands;
    for (const HExpr& arg : call->args) {
      const auto known = hi::as_const_float(arg);
      if (!known) return std::nullopt;
      operands.push_back(*known);
    }
    if (auto value = math_of_constants(*call, operands)) return value;
    if (operands.size() != 2) return std::nullopt;
    const double a = operands[0], b = operands[1];
    if (call->type.bits() == 64) return rounded_once<double>(call, a, b);
    if (call->type.bits() == 32) return rounded_once<float>(call, float(a), float(b));
    return std::nullopt;
  }
};

}  // namespace

HStmt with_constant_floats(const HStmt& statement) {
  return outside_launches(statement, [](const HStmt& s) { return ConstantFloats().mutate(s); });
}

}  // namespace strata::halide
