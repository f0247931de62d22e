#pragma once

#include <string>

#include "schedule/edit/command.h"

namespace strata {

// Gives each iteration of a loop over contributions of S a partial result of its own, P, which S
// adds up afterwards (layers/build/partial_results.h).  With u the iterator of the loop:
//
//     S(i) (+)= e(i, k)       ~>       P(i, u) (+)= e(i, k)   where S[i, k] runs in iteration u
//                                      S(i)    (+)= P(i, u)
//
//     for i:                           for i:
//       for k0:                          for k0:
//         for k1: S(i) += e      ~>        for k1: P(i, k0) += e
//                                        for k0: S(i) += P(i, k0)           rfactor(S.k0, P)
//
// The iterations of the loop are independent then: P is privatised, and parallelize(P.k0) or, of a
// loop of constant length, vectorize(P.k0) may be legal.  The algorithm is another one afterwards,
// with equal results but for the rounding of floats; P takes the loops of S with their tags.
//
// Legal iff S is a reduction whose instances run once each, some contributions to one result run in
// different iterations of the loop, P reads what S read, and judged() finds it so.
// Errors: E0101, E0102, E0103, E0204 not found; E0104, E0105 the name of P; E0106 S is no
// reduction, is computed several times or only as far as it is needed, is atomic, or the loop is one
// of the result; and judged().
Program rfactor(const Program& program, const LoopRef& loop, const std::string& part,
                Given given = {});

}  // namespace strata
