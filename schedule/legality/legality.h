// Is a program legal?  The table of all questions, and how a command asks them.
#pragma once

#include <optional>
#include <vector>

#include "schedule/legality/violation.h"

namespace strata {

// The first violation that no waiver covers, or nothing.  Throws nothing but E0901 (a session out
// of budget: unknown means refuse), as an Error without a place.
std::optional<Violation> find_violation(const Program& program);

// Every violation, waived or not.
std::vector<Violation> find_violations(const Program& program);

// Of a program whose outputs are known: the first element that would not end with its last value.
std::optional<Violation> find_lost_output(const Program& program);

// The first reduction of floats that rounds in another order than the algorithm says.
std::optional<Violation> find_reordered_sum(const Program& program);

}  // namespace strata
