// The arithmetic of a definition.
#pragma once

#include "layers/algorithm.h"

namespace strata::automatic {

// The operations of one instance, in multiply-adds of whole vectors. Each shared part counts once,
// and indices do not count. A product and the sum that adds it count as one. A negation is free,
// and a cast that keeps the size of the type counts half. More than one count
//   12  exp, log, pow and other functions of the mathematical library, by its polynomials
//    6  sqrt,  4  / and % by other numbers than constants: their reciprocal throughput relative to
//       a multiply-add's, on CPUs with vectors of 256 bits or more (Fog, Instruction tables)
double operations_of(const Definition& definition);

}  // namespace strata::automatic
