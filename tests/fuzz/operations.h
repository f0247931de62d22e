// Programs of every operation of core/expr/expr.h, on the operands where operations differ most:
// ties, infinities, NaN, zeros of both signs, and the limits of each type.
#pragma once

#include <set>
#include <vector>

#include "tests/fuzz/scheduled.h"

namespace strata::fuzz {

struct DrawnOperations : Scheduled {  // vectors of 2 to 16 lanes; launches on a GPU
  std::set<Op> operations;            // in the values
};

// Are the operation's results the same on all hardware, bit for bit?  The C library's functions are
// not.
bool is_the_same_everywhere(Op op);

// All operations on values.
std::vector<Op> all_operations();

// Element-wise computations of values of several types. Those for a GPU have only operations that
// are the same everywhere.
DrawnOperations draw_operations(Random& random, Hardware hardware);

}  // namespace strata::fuzz
