// What decides how a loop is emitted.
#pragma once

#include <optional>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata::halide {

// True for a simple lower bound. It is written out in the indices, where it can cancel against the
// origin of a temporary buffer: 16 (4 q + 1) - 64 q with q = (N - 1) / 64 is 16. Any other bound
// gets a name, so that expressions do not grow with the nesting.
bool is_simple(const Expr& e);

// An unrolled loop around masked vectors, split in two. "full" are its first iterations, in which
// the conditions around ("known") imply that all lanes are on; "rest" are the others. Nothing if no
// iteration is full. For example,
//     if (H >= 24 q + 17) { unrolled j in 3 q .. 3 q + 3: vector lane: mask (H >= 8 j + lane + 1) }
// has 2 full iterations. They need no masks. A register tile has more masks and sums than there are
// registers, and a sum on the stack waits for itself in each step.
struct FullAndRest {
  For full, rest;
};
std::optional<FullAndRest> full_and_rest(const For& loop, const std::vector<Expr>& known);

}  // namespace strata::halide
