// Exact dataflow: the last writer before each read.
#pragma once

#include <string>

#include "layers/algorithm.h"

namespace strata {

// What the definitions of an array write: { D[i] -> X[e] }.
isl::union_map writers(const Algorithm& algorithm, const std::string& array);

// { S[i] -> D[j] : of the instances before S[i] in the reference order that write an element of
// "elements" { S[i] -> X[e] }, D[j] is the last }.
//
// No writer before S[i] shares more leading positions of the time [b0, t0, b1, .., bd] with S[i]
// than the last one. So the positions are searched from the innermost outwards. N relates the S[i]
// that have no writer yet to candidates:
//
//     at a loop q        N = { S[i] -> D[j] : t'_q = t_q - 1, equal before q }
//     at a position q    N = { S[i] -> D[j] : b'_q < b_q, equal before q }
//
// If S[i] reads one element and N relates it to one D[j], that D[j] is the last writer: there is
// nothing between t_q - 1 and t_q. In all other cases isl computes the flow: if a reader reads
// several elements, or N has several writers for it, or writers are further away. isl's parametric
// maxima (Feautrier 1991) cost ten times as much over domains with quotients, and have more cases.
isl::union_map last_writers(const Algorithm& algorithm, const Definition& reader,
                            const isl::map& elements, const std::string& array);

}  // namespace strata
