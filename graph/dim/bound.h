// How large dims can be.
#pragma once

#include <cstdint>
#include <optional>

#include "graph/dim/dim.h"

namespace strata::graph {

// A bound of the dim's value where each symbol is between 0 and its bound: the least one, for a
// dim that is affine with quotients, remainders, minima and maxima (found by isl), else one of its
// parts. Nothing if a symbol has no bound, or the value may be beyond int64.
std::optional<std::int64_t> upper_bound(const Expr& dim, const SymbolValues& bounds);

}  // namespace strata::graph
