// Steps of reductions that several threads of a launch take at one place:
//     place = op(place, value)  in one indivisible step.
//
// Passes take Halide's Atomic apart. So until all passes are done, such a step is a store of a call
// that stands for it:
//     place = strata.atomic_step(place, value, ..)
// The call reads the place. Otherwise passes would drop the store before it as dead. In the end the
// step becomes an Atomic. An addition is then an instruction, if the device has one for the type.
// Any other step is a loop
//     do { old = place; new = op(place, value) } while (exchange(place, old, new) != old)
// in which codegen/device/device_text.h replaces the second read of the place by "old".
#pragma once

#include <optional>
#include <string>

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// "symbol" names the buffer in the code, "name" in messages. E0502 for types that devices cannot
// exchange: those of 8 and 16 bits, and on OpenCL devices those of 64 bits.
HStmt atomic_step(Op op, Type type, const std::string& symbol, const std::string& name,
                  const HExpr& position, const HExpr& value, Halide::DeviceAPI api);

// The parts of a step. Its place is the place of its store.
struct AtomicStep {
  Op op;
  Type type;
  Halide::DeviceAPI api;
  HExpr value;
};

// The step that the store performs, if it performs one.
std::optional<AtomicStep> step_in(const Halide::Internal::Store& store);
// The same step with another value.
HStmt with_value(const Halide::Internal::Store& store, const HExpr& value);
// op(a, b)
HExpr combined(const AtomicStep& step, const HExpr& a, const HExpr& b);
// op(a, neutral) = a
HExpr neutral(const AtomicStep& step);

// True if the store performs no step, or a step that reads the buffer of the store: at its index,
// if "same_index". A simplifier may write one of the two indices in another way than the other.
bool reads_its_place(const Halide::Internal::Store& store, bool same_index);

// "statement" with Halide's Atomic for each step.
HStmt with_atomics(const HStmt& statement);

}  // namespace strata::halide
