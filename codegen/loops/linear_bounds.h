// What linear constraints say about one number.
#pragma once

#include <vector>

#include "core/expr/expr.h"
#include "core/sets/relation.h"

namespace strata {

// The constraints of a set { [x] : .. } without existentials, over parameters: where "conditions"
// hold, every lower <= x <= every upper.
struct LinearBounds {
  std::vector<Expr> lowers, uppers, conditions;

  // The least and the greatest x in Q, rounded to Z; undefined if there is no such bound.
  Expr lower() const;
  Expr upper() const;
};
// Leaves out what holds in "context" anyway.
LinearBounds linear_bounds(const isl::basic_set& set, const isl::set& context);

// The set on dimension d alone, without existentials: a superset of the projection.
isl::set on_dimension(const isl::set& set, unsigned d);

}  // namespace strata
