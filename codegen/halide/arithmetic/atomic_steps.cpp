#include "codegen/halide/arithmetic/atomic_steps.h"

#include <cstdint>
#include <limits>

#include "codegen/halide/arithmetic/device_floats.h"
#include "codegen/halide/arithmetic/operations.h"
#include "codegen/refusal.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

// step(old, value, op, type, api), where old is the load of the place
const char* const step = "strata.atomic_step";

const hi::Call* call_in(const hi::Store& store) {
  const auto* call = store.value.as<hi::Call>();
  return call && call->name == step ? call : nullptr;
}

HExpr place(HType type, const std::string& buffer, const HExpr& index) {
  return hi::Load::make(type, buffer, index, Halide::Buffer<>(), Halide::Parameter(),
                        hi::const_true(), hi::ModulusRemainder());
}

// In OpenCL's text, as in C, -2147483648 is a long, and min does not take a long and an int.
HExpr spelled(const HExpr& constant) {
  const auto value = hi::as_const_int(constant);
  if (!value || *value != std::numeric_limits<std::int32_t>::min()) return constant;
  return hi::Sub::make(hi::make_const(constant.type(), *value + 1),
                       hi::make_const(constant.type(), 1));
}

class Atomics : public hi::IRMutator {
 private:
  using IRMutator::visit;

  HStmt visit(const hi::Store* op) override {
    const auto found = step_in(*op);
    if (!found) return IRMutator::visit(op);
    const HExpr& value = found->value;
    // If a constant is bound to a name, OpenCL's text makes a name of the constant: "-1" ~> "___1".
    const bool is_constant = hi::is_const(value);
    const std::string name = op->name + ".step";
    const HExpr named = is_constant ? spelled(value) : hi::Variable::make(value.type(), name);
    const HExpr all = combined(*found, place(value.type(), op->name, op->index), named);
    const HStmt step =
        hi::Atomic::make(op->name, "",
                         hi::Store::make(op->name, all, op->index, Halide::Parameter(),
                                         hi::const_true(), hi::ModulusRemainder()));
    return is_constant ? step : hi::LetStmt::make(name, value, step);
  }
  HExpr visit(const hi::Call* op) override {
    if (op->name == step) throw cannot_generate("an atomic step is part of another expression");
    return IRMutator::visit(op);
  }
};

}  // namespace

HStmt atomic_step(Op op, Type type, const std::string& symbol, const std::string& name,
                  const HExpr& position, const HExpr& value, Halide::DeviceAPI api) {
  const bool opencl = api == Halide::DeviceAPI::OpenCL;
  const int bits = 8 * bytes(type);
  if (bits != 32 && (bits != 64 || opencl))
    throw refused(
        Code::E0502_code_generation_failed,
        std::string("an atomic step in a launch has 32 ") + (opencl ? "" : "or 64 ") +
            "bits with " + (opencl ? "OpenCL" : "CUDA") + ", but " + name + " is of " +
            to_string(type),
        "compute " + name + " as int32, uint32 or float32, or without atomic, by rfactor");
  const auto number = [](int n) { return HExpr(std::int32_t{n}); };
  const HExpr call = hi::Call::make(value.type(), step,
                                    {place(value.type(), symbol, position), value, number(int(op)),
                                     number(int(type)), number(int(api))},
                                    hi::Call::Extern);
  return hi::Store::make(symbol, call, position, Halide::Parameter(), hi::const_true(),
                         hi::ModulusRemainder());
}

std::optional<AtomicStep> step_in(const hi::Store& store) {
  const hi::Call* call = call_in(store);
  if (!call) return std::nullopt;
  const auto number = [&](std::size_t n) { return int(*hi::as_const_int(call->args[n])); };
  return AtomicStep{Op(number(2)), Type(number(3)), Halide::DeviceAPI(number(4)), call->args[1]};
}

HStmt with_value(const hi::Store& store, const HExpr& value) {
  const hi::Call* call = call_in(store);
  std::vector<HExpr> arguments = call->args;
  arguments[1] = value;
  return hi::Store::make(store.name,
                         hi::Call::make(call->type, call->name, arguments, call->call_type),
                         store.index, store.param, store.predicate, store.alignment);
}

// Halide recognizes an addition by "sum - old", which cancels only in plain arithmetic.
HExpr combined(const AtomicStep& step, const HExpr& a, const HExpr& b) {
  if (step.op == Op::add) return hi::Add::make(a, b);
  if (is_float(step.type))
    return device_float_operation(step.op, step.type, {a, b}, {step.api, false});
  return integer_operation(step.op, step.type, {a, b});
}

HExpr neutral(const AtomicStep& step) {
  const HType type = step.value.type();
  const double infinity = std::numeric_limits<double>::infinity();
  switch (step.op) {
    case Op::add:
      return is_float(step.type) ? float_constant(type.bits(), -0.0) : hi::make_zero(type);
    case Op::mul: return hi::make_one(type);
    case Op::min: return is_float(step.type) ? float_constant(type.bits(), infinity) : type.max();
    case Op::max: return is_float(step.type) ? float_constant(type.bits(), -infinity) : type.min();
    case Op::bit_and: return ~hi::make_zero(type);
    case Op::bit_or:
    case Op::bit_xor: return hi::make_zero(type);
    default: throw cannot_generate("an atomic step has an operation that it cannot have");
  }
}

bool reads_its_place(const hi::Store& store, bool same_index) {
  const hi::Call* call = call_in(store);
  if (!call) return true;
  const auto* old = call->args[0].as<hi::Load>();
  return old && old->name == store.name && (!same_index || hi::equal(old->index, store.index));
}

HStmt with_atomics(const HStmt& statement) { return Atomics().mutate(statement); }

}  // namespace strata::halide
