// Which elements the threads of a warp touch together.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/remarks/sites.h"

namespace strata {

// The values of parameters and iterators in each thread of the first warp of a block that runs the
// statement: with its own iterators of thread loops, each lane of a vector loop, and the middle
// iteration of all other loops. Empty where they are not known.
std::vector<Values> warp_of(const Tree& tree, const RemarkSite& site);

// The values of all these expressions, in each thread; empty if one of them depends on data.
std::vector<std::vector<std::int64_t>> in_warp(const std::vector<Values>& warp,
                                               const std::vector<Expr>& expressions);

}  // namespace strata
