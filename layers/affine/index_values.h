// What an index may be.
#pragma once

#include "layers/affine/affine.h"

namespace strata {

struct IndexValues {
  isl::map values;   // { S[i] -> [v] : the index may be v }, single-valued where it is affine
  bool may = false;  // not affine: it is one of these
};

// The values of "index", an integer expression.  The parts of one that is not affine (what is read
// from an array, products of iterators) are taken for any integer of their type, and what is affine
// around them, in particular clamp, min, max and "%", is followed exactly:
//     { S[i] -> [e(i, u)] : exists u in their types }
// Where 64-bit arithmetic on such a part could wrap, its result is any integer.
IndexValues index_values(const Expr& index, const Scope& scope);

}  // namespace strata
