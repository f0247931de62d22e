#include <string>

#include "codegen/halide/arithmetic/operations.h"

namespace strata::halide {

namespace {

using Halide::Internal::Call;
using Halide::Internal::make_const;

HExpr sign_mask(const HExpr& bits) {
  return make_const(bits.type(), std::uint64_t{1} << (bits.type().bits() - 1));
}

// Works on the bits: 0 - x does not negate 0, and x < 0 does not find -0.
HExpr negated(const HExpr& a) {
  const HExpr bits = bits_of(a);
  return float_of_bits(bits ^ sign_mask(bits));
}

HExpr without_sign(const HExpr& a) {
  const HExpr bits = bits_of(a);
  return float_of_bits(bits & ~sign_mask(bits));
}

// Halide rejects a quotient by the constant 0. The product with 1 / 0 is the same, also for NaN and
// 0.
HExpr strict_quotient(const HExpr& a, const HExpr& b) {
  const auto divisor = Halide::Internal::as_const_float(b);
  if (!divisor || *divisor != 0) return strict(Call::strict_div, a, b);
  return strict(Call::strict_mul, a, make_const(b.type(), 1 / *divisor));
}

HExpr pure_call(const std::string& name, const std::vector<HExpr>& operands) {
  return Call::make(operands[0].type(), name, operands, Call::PureExtern);
}

std::string suffix(const HExpr& a) { return a.type().bits() == 32 ? "f32" : "f64"; }

HExpr operation(Op op, const std::vector<HExpr>& o, const VectorMath& vectors) {
  switch (op) {
    case Op::add: return strict(Call::strict_add, o[0], o[1]);
    case Op::sub: return strict(Call::strict_sub, o[0], o[1]);
    case Op::mul: return strict(Call::strict_mul, o[0], o[1]);
    case Op::div: return strict_quotient(o[0], o[1]);
    case Op::min: return select(strict(Call::strict_lt, o[0], o[1]), o[0], o[1]);
    case Op::max: return select(strict(Call::strict_lt, o[1], o[0]), o[0], o[1]);
    case Op::negate: return negated(o[0]);
    case Op::abs: return without_sign(o[0]);
    case Op::sqrt:
    case Op::floor:
    case Op::ceil:
    case Op::trunc: return pure_call(to_string(op) + "_" + suffix(o[0]), o);
    case Op::round:  // ties to even
      return pure_call("llvm.nearbyint." + suffix(o[0]), o);
    default: return math_call(op, o, vectors);
  }
}

}  // namespace

HExpr float_operation(Op op, Type type, const std::vector<HExpr>& operands, HalfFloats halves,
                      const VectorMath& vectors) {
  return rounded(type, operation(op, operands, vectors), halves);
}

HExpr comparison(Op op, Type type, const HExpr& a, const HExpr& b) {
  const bool is_strict = is_float(type);
  const auto eq = [&] { return is_strict ? strict(Call::strict_eq, a, b) : a == b; };
  const auto lt = [&](const HExpr& x, const HExpr& y) {
    return is_strict ? strict(Call::strict_lt, x, y) : x < y;
  };
  // On x86, Halide 21 turns strict_le(x, y) into !(y < x), which is true for NaN.
  const auto le = [&](const HExpr& x, const HExpr& y) {
    return is_strict ? lt(x, y) || strict(Call::strict_eq, x, y) : x <= y;
  };
  switch (op) {
    case Op::eq: return eq();
    case Op::ne: return !eq();
    case Op::lt: return lt(a, b);
    case Op::le: return le(a, b);
    case Op::gt: return lt(b, a);
    default: return le(b, a);
  }
}

HExpr fused_multiply_add(const HExpr& a, const HExpr& b, const HExpr& c) {
  return pure_call("llvm.fma." + suffix(a), {a, b, c});
}

}  // namespace strata::halide
