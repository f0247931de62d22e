// Exact dataflow: who wrote last what is read.
#pragma once

#include <string>

#include "layers/algorithm.h"

namespace strata {

// Everything that gives values to an array: { D[i] -> X[e] }.
isl::union_map writers(const Algorithm& algorithm, const std::string& array);

// { S[i] -> D[j] : D[j] wrote the element of "elements" { S[i] -> X[e] } last before S[i] in the
// reference order }.
//
// Who wrote last agrees with S[i] on as many places of the order [b0, t0, b1, .., bd] as possible.
// So the places are asked from the innermost one, about the S[i] that have no writer yet:
//
//     at a loop q        N = { S[i] -> D[j] : t'_q = t_q - 1, equal before q }
//     at a position q    N = { S[i] -> D[j] : D beside S or what S is in, and before it }
//
// Where S[i] reads one element and N has one value, that is the last of the place, as nothing lies
// between t_q - 1 and t_q.  What N leaves although the place has writers, further away or several,
// and readers of several elements are asked of isl, whose parametric maxima (Feautrier 1991) cost
// ten times as much over domains with quotients, and have more cases.
isl::union_map last_writers(const Algorithm& algorithm, const Definition& reader,
                            const isl::map& elements, const std::string& array);

}  // namespace strata
