// Updates that are steps of an accumulation.
#pragma once

#include <optional>
#include <string>

#include "layers/algorithm.h"

namespace strata {

// X(e) = X(e) (+) contribution, (+) an associative and commutative operation: +, *, min, max, ||, &&,
// &, | or ^.
struct AtomicStep {
  Op operation;
  Expr contribution;
};

// The step that an update is: its value is X(e) (+) r, r (+) X(e), or X(e) - r, which equals
// X(e) + -r to the bit; e is the element it redefines, and nothing else in it reads X.  So
// instances that redefine one element leave it with the same value in any order, but for the
// rounding of floats.  The type has the operation as an atomic one.  Otherwise nothing, and "why"
// has the reason.
std::optional<AtomicStep> atomic_step(const Definition& update, std::string* why = nullptr);

// Is the definition a reduction, or an update that is a step of one?
bool has_steps(const Definition& definition);

}  // namespace strata
