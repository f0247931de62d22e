// Merges disjuncts without changing the set.
#pragma once

#include <vector>

#include "core/sets/relation.h"

namespace strata {

// isl's coalesce, with the result checked where it may be wrong: up to isl 0.26 a disjunct in which
// a quotient is constant can lose bounds when it is merged with one that has this quotient,
//
//     { [x, y] : y mod 3 = 1, 0 <= x <= 2, y > 0 } + { [1, y] : 0 < y <= 2 }
//
// gains [1, 5]. (isl's commit 11c6e46c, "avoid ignoring constraints redundant wrt implicit
// equalities".)  If the result is not the same set, the original set is returned. All code in
// Strata must merge disjuncts with these functions.
isl::set coalesced(const isl::set& set);
isl::map coalesced(const isl::map& map);
// The same for the domain of each piece.
isl::pw_aff coalesced(const isl::pw_aff& function);

std::vector<isl::basic_set> disjuncts(const isl::set& set);

}  // namespace strata
