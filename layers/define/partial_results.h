// Splits a reduction in two: partial results, and their combination.
#pragma once

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// The reduction S with one more dimension: with u = t_p(S[r, k]) the iterator of the loop at
// "level" around S,
//
//     S(r) (+)= e(r, k)   ~>   P(r, u) (+)= e(r, k)   for every k with t_p(S[r, k]) = u
//                              S(r)    (+)= P(r, u)   for every such u
//
// P, named "part", is a reduction of its own, with instances P[r, u, k] and the identity of S; "u"
// is the name of the new iterator. Both are new definitions; readers of S are unchanged.
//
// In the schedule P replaces S, with the times of S where t_p = u. S runs just after P, in the
// innermost of the loops that both share for a result: there the partial results of an iteration
// are complete, and no reader of S has run yet. They are private to each iteration of that loop
// (Loop::allocations), except for vector loops. The reference order changes in the same way.
//
// S must have one branch that runs every instance once. E0104, E0105 the name; E0106 if P would
// read other values, of an array that is updated.
Program with_partial_results(const Program& program, const std::string& reduction, unsigned level,
                             const std::string& part, const std::string& u, const Request& request);

}  // namespace strata
