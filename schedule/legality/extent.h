// The number of iterations that a loop can have, seen from outside it.
#pragma once

#include <cstdint>
#include <optional>

#include "schedule/legality/program_view.h"

namespace strata {

// The largest difference between two iterations of the loop at "path" under one prefix of time,
// plus one:
//
//     1 + max { t'_p - t_p : (t_0, .., t_(p-1)) the same, both run by an owner of the loop }
//
// over all parameter values of the context and all sizes of parametric tiles. 0 if nothing runs,
// std::nullopt if there is no bound.
std::optional<std::int64_t> constant_extent(const Program& program, const Path& path);

// Is there a constant_extent?  Found at once for a loop with constant bounds.
bool has_constant_extent(const Program& program, const Path& path);

// The integers from the least iteration under all prefixes of time, and all parameter values, to
// the largest: "count" numbers from "least" on, none if nothing runs; std::nullopt if there is no
// bound.
struct IterationRange {
  std::int64_t least = 0, count = 0;
};
std::optional<IterationRange> range_of_iterations(const Program& program, const Path& path);

// At least constant_extent, and found at once: the count of range_of_iterations.
std::optional<std::int64_t> most_iterations(const Program& program, const Path& path);

// A vector or unrolled loop without a constant extent (E0106): no code can be generated for it.
std::optional<Violation> find_unbounded_tag(const ProgramView& view);

}  // namespace strata
