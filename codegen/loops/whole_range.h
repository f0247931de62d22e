// The number of steps of a loop in a whole tile, even if the domain boundary cuts the tile.
#pragma once

#include <cstdint>
#include <optional>

#include "core/sets/relation.h"

namespace strata {

// { [t] : lower <= t < lower + size }, where "lower" is a function of the iterators around.
struct WholeRange {
  isl::pw_aff lower;
  std::int64_t size;
  isl::set iterations;  // { : lower <= t<depth> < lower + size }, all iterators being parameters
};

// The box of constant size around "iterations" = { : [t0, .., t<depth>] runs }, if isl finds one
// that follows a lower bound:  min(N, 8 i + 8) > t >= 8 i  is within  8 i <= t < 8 i + 8.
std::optional<WholeRange> whole_range(const isl::set& iterations, int depth);

// The same for a loop over threads. It has such a box wherever its number of iterations has a
// constant bound (core/sets/constant_range.h).
std::optional<WholeRange> thread_range(const isl::set& iterations, int depth);

}  // namespace strata
