// Exact dataflow: the last writer before each read.
#pragma once

#include <string>

#include "layers/algorithm.h"

namespace strata {

// The values that the definitions of an array define: { D[i] -> X[e] }.
isl::union_map writers(const Algorithm& algorithm, const std::string& array);

// { S[i] -> D[j] : D[j] is the last writer, before S[i] in the reference order, of the element of
// "elements" { S[i] -> X[e] } }.
//
// The last writer agrees with S[i] on as many positions of the time [b0, t0, b1, .., bd] as
// possible.  So positions are searched from the innermost outwards, for the S[i] without a writer
// yet:
//
//     at a loop q        N = { S[i] -> D[j] : t'_q = t_q - 1, equal before q }
//     at a position q    N = { S[i] -> D[j] : D beside S or what S is in, and before it }
//
// If S[i] reads one element and N has one value, that value is the last writer at this position,
// since there is nothing between t_q - 1 and t_q.  Otherwise (writers further away or several of
// them, readers of several elements) isl computes the flow; its parametric maxima (Feautrier 1991)
// cost ten times as much over domains with quotients, and have more cases.
isl::union_map last_writers(const Algorithm& algorithm, const Definition& reader,
                            const isl::map& elements, const std::string& array);

}  // namespace strata
