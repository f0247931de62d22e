#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Store the values of an array in a buffer, at places given by affine expressions of the value's
// indices (with % by constants).
//
//     A_X = { X[e] -> b[places(e)] }
//
//     X(i) lives in b[i % 2]
//
// Several arrays may live in one buffer, and over an input.  A buffer that the program does not
// have yet comes into being with the array's type.
// Legal iff no value is overwritten before its last read, no race arises, and values stored over
// an input stay inside it (docs/semantics.md, "Places").
// Errors: E0101 no such array, E0105 the buffer's name, E0106 an index without a value, E0109 wrong
// number of indices for the buffer, E0110 another type, E0111 not affine, E0301, E0302, E0303,
// E0305, E0307.
//
// A refused modulus is told with the smallest legal one (legality/modulus.h).
Program store_in(const Program& before, const std::string& array, const std::string& buffer,
                 const std::vector<Var>& indices, const std::vector<Expr>& places,
                 const Given& given = {});

// The same with the relation in isl's notation: "{ X[i, j] -> b[j, i] }".  Every value has exactly
// one place (E0306).  Further errors: E0106 another relation, E0108 unreadable text.
Program store_in(const Program& before, const std::string& array, const std::string& relation,
                 const Given& given = {});

// The indices of the array's values, by the names of its first definition's iterators.
std::vector<Var> indices_of(const Algorithm& algorithm, const std::string& array);

}  // namespace strata
