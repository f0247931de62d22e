// Programs drawn by chance, to hold the library against the judges.
#pragma once

#include <set>
#include <string>

#include "layers/program.h"
#include "tests/fuzz/random.h"

namespace strata::fuzz {

struct DrawnProgram {
  Program program;
  // What is in it, as statistics count it: "triangle", "gather", "sum", ..
  std::set<std::string> kinds;
};

// Parameters N and M, in some T and U for sizes of tiles and S; an int32 input "in" of N x N; one to four
// computations, of one type, over the shapes of shapes.h.  Among them are recurrences, stencils in
// time, updates, scatters, atomic steps, predicates, gathers, reductions of all kinds and such whose
// range the data decide, definitions that share a loop, and arithmetic that leaves its type
// (extremes.h).  Every read is guarded by a select, so that it lands in its producer's domain.  Definitions that the library refuses are left out; there
// is always one left.
//
// Values of floats are sums and products of what is not negative: rounding errors do not grow by
// cancellation, and float_bound (differential.h) bounds them.
DrawnProgram draw_program(Random& random);

}  // namespace strata::fuzz
