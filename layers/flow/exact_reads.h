// For which sizes the reads of a program are what they were derived as.
#pragma once

#include "layers/affine/exact.h"
#include "layers/algorithm.h"

namespace strata {

// The range of the parameters in which the arithmetic is exact that the reads of the definition are
// derived from, in all of its instances: its indices, and the affine conditions of its selects.
// Nothing where there is none.
std::optional<ExactRange> exact_range(const Definition& definition, const Context& context);

}  // namespace strata
