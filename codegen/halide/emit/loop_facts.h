// What decides how a loop is emitted.
#pragma once

#include <optional>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata::halide {

// Is it a simple lower bound? It is written out in the indices, where it can cancel against the
// origin of a temporary buffer (16 (4 q + 1) - 64 q with q = (N - 1) / 64 is 16); any other gets a
// name, so that expressions do not grow with the nesting.
bool is_simple(const Expr& e);

// The first iterations of an unrolled loop around masked vectors in which the conditions around,
// "known", say that all lanes are on, and the others; nothing if there are no such iterations:
//     if (H >= 24 q + 17) { unrolled j in 3 q .. 3 q + 3: vector lane: mask (H >= 8 j + lane + 1) }
// has 2. They need no masks: those of a register tile, with its sums, are more than there are
// registers, and a sum on the stack waits for itself in each step.
struct FullAndRest {
  For full, rest;
};
std::optional<FullAndRest> full_and_rest(const For& loop, const std::vector<Expr>& known);

}  // namespace strata::halide
