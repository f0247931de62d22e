// Sets and relations without unknown existentials.
#pragma once

#include "core/sets/relation.h"

namespace strata {

// The same set, with each existential replaced by a quotient that isl knows, floor(f / n), or
// eliminated:
//
//     { [l] : exists e: l - N < 64 e <= l, 0 <= l < 64 }  =  { [l] : 0 <= l < 64, l < N }
//
// isl merges equal quotients of relations that it intersects, composes or unites, but copies
// unknown existentials: a relation derived from several others has a copy from each, and two equal
// sets do not compare equal. So the relations of a program have none; code that projects a
// relation, or takes one from an author, must call this. Sets without unknown existentials are
// returned unchanged.
//
// An existential e is fixed at one of its extremes (isl's parametric integer programming), the one
// with fewer cases and quotients:
//
//     { x : exists e: [x, e] in R }  =  { x : [x, max { e : [x, e] in R }] in R },  or min
//
// A basic set keeps its existentials if more than "most_cases" basic sets would replace it, or if
// an existential has no extreme.
isl::set explicit_quotients(const isl::set& set);
isl::map explicit_quotients(const isl::map& map);
constexpr int most_cases = 4;

// A superset without existentials, coalesced: drops conditions on remainders.
isl::set without_existentials(const isl::set& set);
isl::map without_existentials(const isl::map& map);

// isl's box of constant size around a set, or around what an element of the domain is mapped to.
// isl finds none around some sets with conditions on remainders; then that of the set without them.
isl::fixed_box fixed_box_around(const isl::set& set);
isl::fixed_box fixed_box_around_range(const isl::map& map);

// The size of a relation: its disjuncts, and the most existentials (known and unknown) and the most
// unknown existentials of any disjunct.
struct RelationSize {
  int disjuncts = 0, existentials = 0, unknown = 0;
};
RelationSize size_of(const isl::set& set);
RelationSize size_of(const isl::map& map);

}  // namespace strata
