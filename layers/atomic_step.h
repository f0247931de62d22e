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

// The step that an update is: its value is X(e) (+) r or r (+) X(e), or X(e) - r, which is X(e) + -r
// to the bit, in integers and in floats; e the element it redefines, in a type that machines have the operation for, and nothing else of it reads X: instances that
// redefine one element leave it with the same value in any order, but for the rounding of floats.
// Nothing where it is none; "why" then says so.
std::optional<AtomicStep> atomic_step(const Definition& update, std::string* why = nullptr);

}  // namespace strata
