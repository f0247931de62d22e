// For which sizes the derived reads of a program are exact.
#pragma once

#include "layers/affine/exact.h"
#include "layers/algorithm.h"

namespace strata {

// The range of the parameters in which the arithmetic that the definition's reads are derived from
// (its indices, and the affine conditions of its selects) is exact in all of its instances. Nothing
// if there is none.
std::optional<ExactRange> exact_range(const Definition& definition, const Context& context);

}  // namespace strata
