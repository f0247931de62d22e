// A set in integer arithmetic, so that its points are enumerated without calling isl for each value
// of the parameters.
#pragma once

#include <optional>
#include <vector>

#include "core/sets/relation.h"
#include "reference/evaluate.h"

namespace strata::reference {

// constant + sum of coefficients * columns; the columns are the parameters, the dimensions and the
// floors, in this order.
struct Sum {
  std::vector<std::int64_t> coefficients;
  std::int64_t constant = 0;
};

// The points x with sum = 0 for all equalities, sum >= 0 for all inequalities, and floor n equal to
// floor(floors[n].sum / floors[n].divisor), which may only use the columns before it.
struct Conjunction {
  struct Floor {
    Sum sum;
    std::int64_t divisor;
  };
  std::size_t parameters = 0, dimensions = 0;
  std::vector<Sum> equalities, inequalities;
  std::vector<Floor> floors;
};

// The set is the union of these.
std::vector<Conjunction> conjunctions(const isl::set& set);

// "values" are the values of the parameters and, if there are more of them, of the first
// dimensions. Returns the points of the other dimensions, or nothing if some dimension has no
// bound in terms of bounded ones.
std::optional<std::vector<Point>> points(const Conjunction& conjunction,
                                         const std::vector<std::int64_t>& values);

}  // namespace strata::reference
