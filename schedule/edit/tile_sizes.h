// Finding tile sizes for which a program with parametric tiles is illegal.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "schedule/legality/violation.h"

namespace strata {

// The program with these numbers for the parametric tile sizes:
//     Theta' = Theta . { [.., t, ..] -> [.., floor(t / T), ..] },   T = size
Program with_tile_sizes(const Program& program, const std::map<std::string, std::int64_t>& sizes);

// The first violation with sizes 1, 2, 3 or 1000 for each parameter, small ones first; not searched
// for more than three parameters. There may be none although legality reports one, since legality
// assumes an arbitrary monotone function t -> tile.
std::optional<Violation> find_violation_at_some_size(const Program& program);

}  // namespace strata
