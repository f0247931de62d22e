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
// Errors: E0101 not found, E0106 P is a reduction, of tuples, an update, updated, recursive, never
// read, or stored in a buffer that the author gave it, or an update would come between, and
// judged().
Program inline_computation(const Program& program, const std::string& definition, Given given = {});

}  // namespace strata
