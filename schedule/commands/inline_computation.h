#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Removes a computation from layer I: its readers compute its value themselves, each time they
// need it.  (The command "inline", a word that C++ keeps.)
//
//     P(i) = e(i),  S(j) = g(P(f(j)))   ~>   S(j) = g(e(f(j)))
//     R'_S = R_S - (R_SP) + R_SP . R_P
//
// Legal iff every reader finds, where it runs, the values that P would have read: an array that is
// updated between P and its reader must not be read by P.
// Errors: E0101 not found, E0106 P is a reduction, of tuples, an update, updated, recursive, read
// by nobody, or stored in a buffer that the author gave it, or an update would come between, and
// judged().
Program inline_computation(const Program& program, const std::string& definition, Given given = {});

}  // namespace strata
