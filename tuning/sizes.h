// The sizes at which results are compared.
#pragma once

#include "automatic/facts/statements.h"
#include "core/machine/machine.h"

namespace strata::tuning {

// Small sizes that agree with what is assumed, none above "sizes": distinct primes, so that tiles
// divide none of them, and large ones, so that many tiles are whole; but so small that the model
// gives the program at most 20 million cycles. Where the assumptions allow no primes, other sizes.
Values sizes_to_compare(const Program& program, const Machine& machine, const Values& sizes);

}  // namespace strata::tuning
