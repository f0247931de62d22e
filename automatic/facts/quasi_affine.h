// Quasi-affine functions of integers, with numbers in place of parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "codegen/remarks/estimate.h"
#include "core/sets/relation.h"

namespace strata::automatic {

using Point = std::vector<std::int64_t>;

// floor((constant + sum_k coefficients[k] x_k + sum_q times_q q(x)) / denominator), where the
// quotients q are functions of this kind.
struct QuasiAffine {
  std::int64_t constant = 0;
  std::vector<std::int64_t> coefficients = {};
  std::vector<std::pair<std::int64_t, QuasiAffine>> quotients = {};  // times, quotient
  std::int64_t denominator = 1;

  std::int64_t at(const Point& x) const;
};

// A function from points to points.
struct PointMap {
  std::vector<QuasiAffine> dimensions;

  Point at(const Point& x) const;
};

// The piece of the single-valued relation "map" that holds at the point x, with "sizes" for the
// parameters. Nothing if the relation is not defined there, or its numbers do not fit in 62 bits.
std::optional<PointMap> function_at(const isl::map& map, const Point& x, const Values& sizes);

// { t in set : parameters = sizes }, without parameters.
isl::set at_sizes(isl::set set, const Values& sizes);
// { t in set : t_dimension = value }
isl::set fixed_at(const isl::set& set, unsigned dimension, std::int64_t value);

}  // namespace strata::automatic
