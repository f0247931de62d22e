// Computes the values of an array in another one and copies them.
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// Makes "made" compute the values of the array X:
//
//     X(e) = v    ~>    "made"(e) = v,    X(e) = made(e)
//
// where v may be a reduction, or read X, and then reads "made". All other readers still read X.
//
// In the schedule "made" replaces X.  X runs just after it, in the innermost of the first "levels"
// loops around it, over loops of its own named "iterators": with t the previous schedule of X
//     { X[e] -> pre(t(e)) ++ e },   pre the first "levels" iterators,
// which are functions of e, since all contributions to one result run in one iteration of them.
// The buffer of "made" is private to each iteration of that loop, except for vector loops.
//
// X must have one definition, of scalars, and one branch that runs every instance once; the first
// "levels" loops around it must be loops over its results (layers/flow/initial_values.h).
// E0104, E0105 the names; E0109 the number of iterators.
Program with_result_copy(const Program& program, const std::string& array, unsigned levels,
                         const std::string& made, const std::vector<std::string>& iterators,
                         const Request& request);

}  // namespace strata
