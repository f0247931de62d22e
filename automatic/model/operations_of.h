// The arithmetic of a definition.
#pragma once

#include "layers/algorithm.h"

namespace strata::automatic {

// The operations of one instance, in multiply-adds of whole vectors: each shared part once, without
// indices. A product that is added is one with the addition. Others count as
//   12  exp, log, pow and other functions of the mathematical library, by its polynomials
//    6  sqrt,  4  / and %: their reciprocal throughput beside a multiply-add's, on CPUs with
//    vectors
//       of 256 bits or more (Fog, Instruction tables)
double operations_of(const Definition& definition);

}  // namespace strata::automatic
