// Values made in one array and kept in another.
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// The array X with its values made elsewhere,
//
//     X(e) = v    ~>    "made"(e) = v,    X(e) = made(e)
//
// where v may be a reduction, or read X, and then reads "made".  Everybody else reads X as before.
//
// In the schedule "made" takes the place of X.  X runs in the innermost of the first "levels" loops
// around it, just after, over loops of its own named "iterators": with t the schedule of X so far
//     { X[e] -> pre(t(e)) ++ e },   pre the first "levels" iterators,
// which are functions of e, as all contributions to one result run in one iteration of them.  Each
// iteration of that loop, vectors excepted, has the buffer of "made" for itself.
//
// X has one definition, of scalars, and one branch, which runs every instance once; the first
// "levels" loops around it are loops over its results (layers/flow/initial_values.h).
// E0104, E0105 the names; E0109 the number of iterators.
Program with_result_copy(const Program& program, const std::string& array, unsigned levels,
                         const std::string& made, const std::vector<std::string>& iterators,
                         const Request& request);

}  // namespace strata
