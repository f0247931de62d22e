// Work that isl does not count as operations.
#pragma once

#include <stdexcept>

#include "core/sets/relation.h"

namespace strata {

// Thrown inside a question that would exceed its budget; Session::within_budget treats it as an
// exhausted budget.
class TooMuchWork : public std::runtime_error {
 public:
  TooMuchWork() : std::runtime_error("too many cases") {}
};

// isl counts the operations on its tableaux, but not the pairs of disjuncts in a composition, which
// take memory and time before the first operation.  So code that composes relations of many
// disjuncts announces their number.  Throws TooMuchWork if a budget below "operations" is in force.
void announce_work(isl::ctx ctx, double operations);

// a . b . c, announcing the work first: each disjunct of one is combined with each of the others,
// and copies its existentials.
isl::map composed(const isl::map& a, const isl::map& b, const isl::map& c);

}  // namespace strata
