// The arithmetic of a definition.
#pragma once

#include "core/machine/machine.h"
#include "layers/algorithm.h"

namespace strata::automatic {

// The operations of one instance, in multiply-adds of whole vectors. Each shared part counts once,
// and indices do not count. A product and the sum that adds it count as one. A negation is free,
// and a cast that keeps the size of the type counts half. More than one count
//   12  exp, log, pow and other functions of the mathematical library, by its polynomials
//    6  sqrt,  4  / and % by other numbers than constants: their reciprocal throughput relative to
//       a multiply-add's, on CPUs with vectors of 256 bits or more (Fog, Instruction tables)
double operations_of(const Definition& definition);

// The cycles from a read's value to the result that is made of it: those of the operations on the
// longest way. "read" counts the accesses in the order of Statement::accesses, without the write.
//   operations of floats   fma_latency, a quotient or a root three times as many, functions ten
//   others                 one cycle
double chain_of(const Definition& definition, std::size_t read, const Machine& machine);

}  // namespace strata::automatic
