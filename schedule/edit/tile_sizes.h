// Examples of tile sizes for which a program with parametric tiles is illegal.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "schedule/legality/violation.h"

namespace strata {

// The program whose loops over parametric tiles count tiles of these sizes, as numbers:
//     Theta' = Theta . { [.., t, ..] -> [.., floor(t / T), ..] },   T = size
Program with_tile_sizes(const Program& program, const std::map<std::string, std::int64_t>& sizes);

// A violation at some sizes out of a few, small ones first.  There may be none where legality,
// which takes every monotone function for a tiling, knows a violation.
std::optional<Violation> find_violation_at_some_size(const Program& program);

}  // namespace strata
