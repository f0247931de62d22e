// Sets and relations without unknown existentials.
#pragma once

#include "core/sets/relation.h"

namespace strata {

// The same set, each existential a quotient that isl knows, floor(f / n), or gone:
//
//     { [l] : exists e: l - N < 64 e <= l, 0 <= l < 64 }  =  { [l] : 0 <= l < 64, l < N }
//
// isl merges equal quotients of relations that it intersects, composes or unites, but copies unknown
// existentials: what is derived from several relations has a copy for each, and two equal sets are
// not seen to be equal.  So no relation that a program holds has any; whatever projects one, or takes
// it from an author, calls this.  Sets without come back as they are.
//
// An existential e goes at one of its extremes (isl's parametric integer programming), of which the
// one of fewer cases and quotients is taken:
//
//     { x : exists e: [x, e] in R }  =  { x : [x, max { e : [x, e] in R }] in R },  or min
//
// A basic set that would become more than "most_cases" keeps its existentials, one that has no
// extreme, too.
isl::set explicit_quotients(const isl::set& set);
isl::map explicit_quotients(const isl::map& map);
constexpr int most_cases = 4;

// How large a relation is: its disjuncts, and of the worst of these the existentials, known and
// unknown, and the unknown ones alone.
struct RelationSize {
  int disjuncts = 0, existentials = 0, unknown = 0;
};
RelationSize size_of(const isl::set& set);
RelationSize size_of(const isl::map& map);

}  // namespace strata
