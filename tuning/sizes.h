// The sizes at which results are compared.
#pragma once

#include "automatic/facts/statements.h"
#include "core/machine/machine.h"

namespace strata::tuning {

// Small sizes that satisfy the assumptions, none above "sizes". They are distinct primes, so that
// tiles divide none of them. They are large, so that many tiles are whole, but so small that the
// model gives the program at most 20 million cycles. If the assumptions allow no primes, other
// sizes.
Values sizes_to_compare(const Program& program, const Machine& machine, const Values& sizes);

}  // namespace strata::tuning
