#pragma once

#include <string>

#include "schedule/edit/command.h"

namespace strata {

// Gives each iteration of a loop over contributions of S its own partial result, P; S then combines
// the partial results (layers/define/partial_results.h). With u the iterator of the loop:
//
//     S(i) (+)= e(i, k)       ~>       P(i, u) (+)= e(i, k)   where S[i, k] runs in iteration u
//                                      S(i)    (+)= P(i, u)
//
//     for i:                           for i:
//       for k0:                          for k0:
//         for k1: S(i) += e      ~>        for k1: P(i, k0) += e
//                                        for k0: S(i) += P(i, k0)           rfactor(S.k0, P)
//
// This makes the iterations of the loop independent (P is privatised), so that parallelize(P.k0)
// or, for a loop of constant extent, vectorize(P.k0) may be legal. It changes the algorithm;
// results differ only in the rounding of floats. P takes over the loops of S with their tags.
//
// Legal iff S is a reduction whose instances run once each, some contributions to one result run in
// different iterations of the loop, P reads what S read, and verified() accepts it.
// Errors: E0101, E0102, E0103, E0204 not found; E0104, E0105 the name of P; E0106 S is not a
// reduction, is atomic, is computed several times or only partly, or the loop is over results or
// parametric tiles; and verified().
Program rfactor(const Program& program, const LoopRef& loop, const std::string& part,
                Given given = {});

}  // namespace strata
