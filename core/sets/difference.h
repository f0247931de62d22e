// Differences between the points of a set, and between sets. Each question is asked so that isl
// projects nothing out: quotients stay known, and no existentials arise.
#pragma once

#include "core/sets/relation.h"

namespace strata {

// max { t' - t : [pi, t] and [pi, t'] in the set }, t the last dimension: infinite if it is
// unbounded, no number if the set is empty.
isl::val largest_difference(const isl::set& set);

// { x in a : x not in b }. If b is one basic set whose quotients are known, in pieces that may
// overlap, one for each constraint of b, and so of few constraints: isl's own pieces are disjoint,
// and each has all constraints of the pieces before it.
isl::set without(const isl::set& a, const isl::set& b);

// Is y a function of x, for { x -> y }?  As isl's own question, but { x -> [y -> y'] } is asked for
// y = y' without projecting x out, and the first pair that differs decides.
bool is_function(const isl::map& map);

}  // namespace strata
