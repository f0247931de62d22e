// For which sizes the derived reads of a program are exact.
#pragma once

#include "layers/affine/exact.h"
#include "layers/algorithm.h"

namespace strata {

// The parameter range in which the arithmetic behind the definition's reads is exact for all its
// instances: that of its indices, and of the affine conditions of its selects. Nothing if there is
// no such range.
std::optional<ExactRange> exact_range(const Definition& definition, const Context& context);

}  // namespace strata
