#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Stores the values of an array in a buffer, at places given by affine expressions in the indices
// of the values (with % by constants).
//
//     A_X = { X[e] -> b[places(e)] }
//
//     X(i) lives in b[i % 2]
//
// Several arrays may share a buffer, and an array may be stored over an input. A new buffer gets
// the type of the array.
// Legal iff no value is overwritten before its last read, no race arises, and values stored over an
// input are in bounds (docs/semantics.md, "Places").
// Errors: E0101 no such array, E0104 the buffer holds scalars of a tuple, E0105 the buffer's name,
// E0106 an index without a value, or X is a further scalar of a tuple, E0109 wrong number of
// indices, E0110 another type, E0111 not affine, E0301, E0302, E0303, E0305, E0307.
//
// The refusal of a modulus names the smallest legal one (legality/modulus.h).
Program store_in(const Program& before, const std::string& array, const std::string& buffer,
                 const std::vector<Var>& indices, const std::vector<Expr>& places,
                 const Given& given = {});

// The same with the relation in isl's notation: "{ X[i, j] -> b[j, i] }". Every value must have
// exactly one place (E0306). Further errors: E0106 wrong tuples or unknown parameters, E0108
// unreadable text.
Program store_in(const Program& before, const std::string& array, const std::string& relation,
                 const Given& given = {});

// The indices of the array's values: the iterators of its first definition.
std::vector<Var> indices_of(const Algorithm& algorithm, const std::string& array);

}  // namespace strata
