// The possible values of an index.
#pragma once

#include "layers/affine/affine.h"

namespace strata {

struct IndexValues {
  isl::map values;   // { S[i] -> [v] : the index may be v }, single-valued where it is affine
  bool may = false;  // not affine: it is one of these
};

// The values of "index", an integer expression. Non-affine parts (array reads, products of
// iterators) may be any integer of their type; the affine operations around them, in particular
// clamp, min, max and "%", are followed exactly:
//     { S[i] -> [e(i, u)] : exists u in their types }
// If 64-bit arithmetic on such a part could wrap, its result may be any integer.
IndexValues index_values(const Expr& index, const IteratorScope& scope);

}  // namespace strata
