#include "codegen/halide/arithmetic/device_floats.h"

#include <set>

#include "codegen/halide/arithmetic/operations.h"
#include "codegen/refusal.h"

namespace strata::halide {

namespace {

using Halide::DeviceAPI;
using Halide::Internal::Call;

HExpr device_call(const std::string& name, const std::vector<HExpr>& operands) {
  return Call::make(operands[0].type(), name, operands, Call::PureExtern);
}

std::string width_of(const HExpr& a) { return a.type().bits() == 32 ? "_f32" : "_f64"; }

// The functions that both CUDA and OpenCL have for operators, under Halide's names without the
// width. Functions that only OpenCL has are called by their own names.
const std::set<std::string>& functions_of_all() {
  static const std::set<std::string> names{"exp",   "log",   "sin",  "cos",  "tan",  "asin",
                                           "acos",  "atan",  "sinh", "cosh", "tanh", "asinh",
                                           "acosh", "atanh", "pow",  "atan2"};
  return names;
}

HExpr function(Op op, const std::vector<HExpr>& o, const DeviceFloats& device) {
  const std::string name = to_string(op);
  if (device.exact)
    throw refused(Code::E0505_not_exact_on_gpu,
                  name + " in a launch on a GPU is not the function of the host, bit for bit",
                  "choose Floats::fast, or compute " + name + " outside of the launch");
  if (functions_of_all().count(name)) return device_call(name + width_of(o[0]), o);
  if (device.api == DeviceAPI::OpenCL) return device_call(name, o);
  throw refused(Code::E0502_code_generation_failed,
                name + " is not a function of launches with CUDA",
                "compute " + name + " outside of the launch");
}

// llvm.nvvm.add.rn.f, for OpenCL the plain operation.
HExpr sum(const HExpr& a, const HExpr& b, const DeviceFloats& device) {
  if (device.api == DeviceAPI::OpenCL) return strict(Call::strict_add, a, b);
  return device_call(a.type().bits() == 32 ? "llvm.nvvm.add.rn.f" : "llvm.nvvm.add.rn.d", {a, b});
}

HExpr product(const HExpr& a, const HExpr& b, const DeviceFloats& device) {
  if (device.api == DeviceAPI::OpenCL) return strict(Call::strict_mul, a, b);
  return device_call(a.type().bits() == 32 ? "llvm.nvvm.mul.rn.f" : "llvm.nvvm.mul.rn.d", {a, b});
}

// "op" in float64, rounded to the float32 of the operands.
HExpr in_wide(Op op, const std::vector<HExpr>& operands) {
  std::vector<HExpr> wide;
  for (const HExpr& x : operands)
    wide.push_back(Halide::cast(Halide::Float(64, x.type().lanes()), x));
  return Halide::cast(operands[0].type(), float_operation(op, Type::float64, wide, {}));
}

// The operation, correctly rounded; undefined if it is the same as on the host.
HExpr exact_operation(Op op, const std::vector<HExpr>& o, const DeviceFloats& device) {
  const auto negated = [&] { return float_operation(Op::negate, Type::float64, {o[1]}, {}); };
  switch (op) {
    case Op::add: return sum(o[0], o[1], device);
    case Op::sub: return device.api == DeviceAPI::OpenCL ? HExpr() : sum(o[0], negated(), device);
    case Op::mul: return product(o[0], o[1], device);
    case Op::div:
    case Op::sqrt:
      return device.api == DeviceAPI::OpenCL && o[0].type().bits() == 32 ? in_wide(op, o) : HExpr();
    default: return {};
  }
}

// Halide's own floor_f32 flushes denormals.
std::string with_llvm(Op op, const HExpr& a) {
  return "llvm." + to_string(op) + (a.type().bits() == 32 ? ".f32" : ".f64");
}

// The approximation by the hardware; undefined if there is none.
HExpr approximation(Op op, const std::vector<HExpr>& o, const DeviceFloats& device) {
  const bool has_some = device.api == DeviceAPI::CUDA && !device.exact;
  if (!has_some || o[0].type().bits() != 32) return {};
  constexpr double log2_of_e = 1.44269504088896340736;
  switch (op) {
    case Op::div: return device_call("llvm.nvvm.div.full", o);
    case Op::sqrt: return device_call("llvm.nvvm.sqrt.approx.f", o);
    case Op::exp:
      return device_call(
          "llvm.nvvm.ex2.approx.f",
          {strict(Call::strict_mul, o[0], Halide::Internal::make_const(o[0].type(), log2_of_e))});
    default: return {};
  }
}

// The result in flight, rounded to the width of the operands.
HExpr operation_on_device(Op op, const std::vector<HExpr>& o, const DeviceFloats& device) {
  if (device.exact)
    if (const HExpr made = exact_operation(op, o, device); made.defined()) return made;
  if (const HExpr made = approximation(op, o, device); made.defined()) return made;
  switch (op) {
    case Op::round:
      if (device.api == DeviceAPI::OpenCL) return device_call("rint", o);
      return float_operation(op, Type::float64, o, {});
    case Op::floor:
    case Op::ceil:
    case Op::trunc:
      if (device.api == DeviceAPI::CUDA) return device_call(with_llvm(op, o[0]), o);
      [[fallthrough]];
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::min:
    case Op::max:
    case Op::negate:
    case Op::abs:
    case Op::sqrt: return float_operation(op, Type::float64, o, {});
    default: return function(op, o, device);
  }
}

}  // namespace

HExpr device_float_operation(Op op, Type type, const std::vector<HExpr>& operands,
                             const DeviceFloats& device) {
  return rounded(type, operation_on_device(op, operands, device), HalfFloats::converted_by_bits);
}

HExpr device_fused_multiply_add(const HExpr& a, const HExpr& b, const HExpr& c,
                                const DeviceFloats& device) {
  if (device.api == DeviceAPI::OpenCL) return device_call("fma", {a, b, c});
  return fused_multiply_add(a, b, c);
}

bool is_device_function(const std::string& name) {
  return name.ends_with("_f32") || name.ends_with("_f64") || name.starts_with("llvm.") ||
         name.starts_with("strata.") || is_on_device_alone(name);
}

// OpenCL's functions take all types; the host's functions of the same names take float64.
bool is_on_device_alone(const std::string& name) {
  return name.starts_with("llvm.nvvm.") || name == "fma" || name == "rint" || name == "erf";
}

}  // namespace strata::halide
