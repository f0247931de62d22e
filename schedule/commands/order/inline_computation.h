#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Removes a computation from layer I: its readers compute its value themselves, wherever they need
// it. (The command "inline", which is a keyword in C++.)
//
//     P(i) = e(i),  S(j) = g(P(f(j)))   ~>   S(j) = g(e(f(j)))
//     R'_S = R_S - (R_SP) + R_SP . R_P
//
// Legal iff every reader, at its own time, finds the values that P would have read: P must not read
// an array that is updated between P and the reader.
// Errors: E0101 not found; E0106 P has no value yet, is a reduction, has tuples, is an update or is
// updated, reads itself, is never read, is read as a whole array by an extern call, or is stored by
// store_in, or an array that P reads is updated between P and a reader; and verified().
Program inline_computation(const Program& program, const std::string& definition, Given given = {});

}  // namespace strata
