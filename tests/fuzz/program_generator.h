// Random programs, for comparing the library with the judges.
#pragma once

#include <set>
#include <string>

#include "layers/program.h"
#include "tests/fuzz/random.h"

namespace strata::fuzz {

struct DrawnProgram {
  Program program;
  // Its features, as statistics count them: "triangle", "gather", "sum", ..
  std::set<std::string> kinds;
};

// Parameters N and M, in some programs T and U for tile sizes and S; an int32 input "in" of N x N;
// one to four computations of one type over the shapes of shapes.h. Among them are recurrences,
// stencils in time, updates, scatters, atomic steps, predicates, gathers, reductions of all kinds,
// also with data-dependent ranges, definitions that share a loop, and arithmetic that overflows its
// type (extremes.h). Every read is guarded by a select, so that it is inside its producer's
// domain. Definitions that the library refuses are left out; at least one remains.
//
// Values of floats are sums and products of non-negative numbers: rounding errors do not grow by
// cancellation, and float_bound (differential.h) bounds them.
DrawnProgram draw_program(Random& random);

}  // namespace strata::fuzz
