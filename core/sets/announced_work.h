// Work that isl does not count.
#pragma once

#include <stdexcept>

#include "core/sets/relation.h"

namespace strata {

// Thrown in a question that would take more than its budget; Session::within_budget takes it for one
// out of budget.
class TooMuchWork : public std::runtime_error {
 public:
  TooMuchWork() : std::runtime_error("a question of too many cases") {}
};

// isl counts the operations on its tableaux, not the pairs of disjuncts that a composition makes,
// which take memory and time before the first operation.  Who composes relations of many disjuncts
// announces their number: TooMuchWork where a budget is in force that has less than "operations".
void announce_work(isl::ctx ctx, double operations);

// a . b . c, the work announced before: each disjunct of one meets each of the others, and has
// copies of its existentials.
isl::map composed(const isl::map& a, const isl::map& b, const isl::map& c);

}  // namespace strata
