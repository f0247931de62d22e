// For which sizes the derived reads of a program are exact.
#pragma once

#include "layers/affine/exact.h"
#include "layers/algorithm.h"

namespace strata {

// The parameter range in which the arithmetic behind the definition's reads is exact in all of its
// instances: its indices, and the affine conditions of its selects.  Nothing if there is none.
std::optional<ExactRange> exact_range(const Definition& definition, const Context& context);

}  // namespace strata
