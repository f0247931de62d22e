// Updates that are accumulation steps.
#pragma once

#include <optional>
#include <string>

#include "layers/algorithm.h"

namespace strata {

// X(e) = X(e) (+) contribution, where (+) is an associative and commutative operation: +, *, min,
// max, ||, &&, &, | or ^.
struct AtomicStep {
  Op operation;
  Expr contribution;
};

// The accumulation step that an update performs. The value of the update must be X(e) (+) r, or r
// (+) X(e), or X(e) - r (bit for bit X(e) + -r), where e is the element that it redefines. No other
// part of the update may read X. So instances that redefine one element leave the same value in any
// order, up to float rounding. The type must not be a 16-bit float. If the update is not a step,
// the result is nothing and "why" gets the reason.
std::optional<AtomicStep> atomic_step(const Definition& update, std::string* why = nullptr);

// True for a reduction and for an update that is a step. Such a definition may be atomic (R107).
bool has_steps(const Definition& definition);

}  // namespace strata
