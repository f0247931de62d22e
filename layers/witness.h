// The smallest point of a set or relation, and its text.
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "core/sets/relation.h"

namespace strata {

// The smallest point of a non-empty set, as a set of one point with fixed parameters: first the
// parameters, in the order of "parameters" (0 or the least value above; if there is none, the
// greatest below), then the dimensions, each as small as the set allows (closest to 0 if unbounded
// below).
isl::set smallest(const isl::set& set, const std::vector<std::string>& parameters);
// The same for a pair.
isl::map smallest(const isl::map& map, const std::vector<std::string>& parameters);

// The parameters of a set of one point: "N = 3, M = 1".
std::string parameters_text(const isl::set& point);
// The same, where parameters of the set that are not in "parameters" are iterators of loops around:
// "N = 3, in the iteration i = 1".
std::string parameters_text(const isl::set& point, const std::vector<std::string>& parameters);
// The instance, in a set of one point: "S[1, 1]".
std::string instance_text(const isl::set& point);
// The coordinates of a set of one point.
std::vector<long> coordinates(const isl::set& point);
// The times at which "theta" runs the instance: "[0, 1, 0, 1, 0]"; several are joined by " and ".
std::string time_text(const isl::set& point, const isl::union_map& theta);

}  // namespace strata
