// Steps of reductions that several threads of a launch take at one place:
//     place = op(place, value)  in one indivisible step.
//
// Until all passes are done such a step is a store of a call that stands for it, since passes take
// Halide's Atomic apart:
//     place = strata.atomic_step(place, value, ..)
// The call reads the place; else what is stored there before would be dead to passes, which drop
// it. Then it becomes that Atomic: an addition is an instruction, if the device has one for the
// type, and any other step a loop
//     do { old = place; new = op(place, value) } while (exchange(place, old, new) != old)
// in which passes/device_text.h replaces the second look at the place by "old".
#pragma once

#include <optional>
#include <string>

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// "symbol" is the buffer in the code, "name" in messages. E0502 for types that devices cannot
// exchange: those of 8 and 16 bits, on OpenCL devices also of 64.
HStmt atomic_step(Op op, Type type, const std::string& symbol, const std::string& name,
                  const HExpr& position, const HExpr& value, Halide::DeviceAPI api);

// A step, of which the store has the place.
struct AtomicStep {
  Op op;
  Type type;
  Halide::DeviceAPI api;
  HExpr value;
};

// The step that is stored, if one is.
std::optional<AtomicStep> step_in(const Halide::Internal::Store& store);
// The same step with another value.
HStmt with_value(const Halide::Internal::Store& store, const HExpr& value);
// op(a, b)
HExpr combined(const AtomicStep& step, const HExpr& a, const HExpr& b);
// op(a, neutral) = a
HExpr neutral(const AtomicStep& step);

// Is it a store of no step, or of one that reads the very place of the store?
bool reads_its_place(const Halide::Internal::Store& store);

// "statement" with Halide's Atomic for each step.
HStmt with_atomics(const HStmt& statement);

}  // namespace strata::halide
