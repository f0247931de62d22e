#include "codegen/halide/arithmetic/values.h"

#include <cmath>

#include "codegen/entry/facts.h"

namespace strata::halide {

namespace {

using Halide::Internal::Call;
using Halide::Internal::make_const;

HExpr u32(std::uint32_t value) { return make_const(Halide::UInt(32), std::uint64_t{value}); }
HExpr as_u32(const HExpr& e) { return Halide::cast(Halide::UInt(32), e); }
HExpr as_u16(const HExpr& e) { return Halide::cast(Halide::UInt(16), e); }

// binary16 -> float32: rebias the exponent; a subnormal number is its bits as an integer times
// 2^-24.
HExpr widened_half(const HExpr& half) {
  const HExpr bits = as_u32(half), sign = (bits & u32(0x8000)) << u32(16);
  const HExpr magnitude = bits & u32(0x7fff), shifted = magnitude << u32(13);
  const HExpr quiet = select(magnitude > u32(0x7c00), u32(0x400000), u32(0));
  const HExpr small = strict(Call::strict_mul, Halide::cast(Halide::Float(32), magnitude),
                             float_constant(32, std::ldexp(1.0, -24)));
  const HExpr wide = select(magnitude < u32(0x400), bits_of(small), magnitude < u32(0x7c00),
                            shifted + u32(112u << 23), (shifted + u32(224u << 23)) | quiet);
  return float_of_bits(wide | sign);
}

// float32 -> binary16, to nearest even. For a subnormal result it adds 0.5, whose last place is
// 2^-24. For a normal result it adds half of the last place that it keeps, and one less if the bit
// in that place is 0.
HExpr narrowed_half(const HExpr& value) {
  const HExpr bits = bits_of(value), magnitude = bits & u32(0x7fffffff);
  const HExpr half = float_constant(32, 0.5);
  const HExpr small =
      bits_of(strict(Call::strict_add, float_of_bits(magnitude), half)) - bits_of(half);
  const HExpr odd = (magnitude >> u32(13)) & u32(1);
  const HExpr normal = (magnitude + u32(0xc8000fff) + odd) >> u32(13);
  const HExpr nan = u32(0x7e00) | ((magnitude >> u32(13)) & u32(0x1ff));
  const HExpr result = select(magnitude > u32(0x7f800000), nan, magnitude >= u32(0x47800000),
                              u32(0x7c00), magnitude < u32(0x38800000), small, normal);
  return as_u16(result | ((bits >> u32(16)) & u32(0x8000)));
}

HExpr widened_brain(const HExpr& brain) { return float_of_bits(as_u32(brain) << u32(16)); }

HExpr narrowed_brain(const HExpr& value) {
  const HExpr bits = bits_of(value), odd = (bits >> u32(16)) & u32(1);
  const HExpr nearest = (bits + u32(0x7fff) + odd) >> u32(16);
  const HExpr nan = (bits >> u32(16)) | u32(0x40);
  return as_u16(select((bits & u32(0x7fffffff)) > u32(0x7f800000), nan, nearest));
}

bool by_hardware(HalfFloats halves) { return halves == HalfFloats::converted_by_hardware; }

}  // namespace

HType type_in_flight(Type type) {
  if (type == Type::boolean) return Halide::Bool();
  if (is_float(type)) return Halide::Float(type == Type::float64 ? 64 : 32);
  return is_signed_integer(type) ? Halide::Int(bits(type)) : Halide::UInt(bits(type));
}

HType type_in_memory(Type type) {
  if (type == Type::boolean) return Halide::UInt(8);
  if (is_half(type)) return Halide::UInt(16);
  return type_in_flight(type);
}

halide_type_t type_of_buffer(Type type) {
  const ElementCode element = element_code(type);
  return {halide_type_code_t(element.code), std::uint8_t(element.bits)};
}

HExpr from_memory(Type type, const HExpr& stored, HalfFloats halves) {
  if (type == Type::boolean) return stored != Halide::Internal::make_zero(stored.type());
  if (type == Type::bfloat16) return widened_brain(stored);
  if (type != Type::float16) return stored;
  if (!by_hardware(halves)) return widened_half(stored);
  return Halide::cast(Halide::Float(32), Halide::reinterpret(Halide::Float(16), stored));
}

HExpr to_memory(Type type, const HExpr& value, HalfFloats halves) {
  if (type == Type::boolean) return Halide::cast(Halide::UInt(8), value);
  if (type == Type::bfloat16) return narrowed_brain(value);
  if (type != Type::float16) return value;
  if (!by_hardware(halves)) return narrowed_half(value);
  const HExpr narrow = Halide::cast(Halide::Float(16), with_own_rounding(value));
  return Halide::reinterpret(Halide::UInt(16), narrow);
}

HExpr rounded(Type type, const HExpr& value, HalfFloats halves) {
  if (!is_half(type)) return value;
  return from_memory(type, to_memory(type, value, halves), halves);
}

HExpr float_constant(int bits, double value) {
  const HType type = Halide::Float(bits);
  if (!std::isnan(value) && !(value == 0 && std::signbit(value)))
    return Halide::Internal::FloatImm::make(type, value);
  std::uint64_t pattern = std::isnan(value) ? 0x7ff8000000000000u : 0x8000000000000000u;
  if (bits == 32) pattern = std::isnan(value) ? 0x7fc00000u : 0x80000000u;
  return Halide::reinterpret(type, make_const(Halide::UInt(bits), pattern));
}

HExpr constant_in_flight(const ExprNode& constant) {
  const HType type = type_in_flight(constant.type);
  if (type.is_float()) return float_constant(type.bits(), constant.real);
  if (type.is_uint()) return make_const(type, static_cast<std::uint64_t>(constant.integer));
  return make_const(type, constant.integer);
}

HExpr bits_of(const HExpr& value) {
  return Halide::reinterpret(value.type().with_code(HType::UInt), value);
}

HExpr float_of_bits(const HExpr& bits) {
  return Halide::reinterpret(bits.type().with_code(HType::Float), bits);
}

HExpr with_own_rounding(const HExpr& value) {
  return strict(Call::strict_mul, value, float_constant(value.type().bits(), 1));
}

HExpr strict(Call::IntrinsicOp op, const HExpr& a, const HExpr& b) {
  const bool truth = op == Call::strict_eq || op == Call::strict_lt;
  const HType type = truth ? Halide::Bool(a.type().lanes()) : a.type();
  return Call::make(type, op, {a, b}, Call::PureIntrinsic);
}

HStmt freed_early(const std::string& pointer) {
  using namespace Halide::Internal;
  return Evaluate::make(Call::make(Halide::Int(32), free_early,
                                   {Variable::make(Halide::Handle(), pointer)}, Call::Extern));
}

}  // namespace strata::halide
