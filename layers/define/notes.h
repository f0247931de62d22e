// Notes on legal definitions that may not do what the author meant.
#pragma once

#include <string>

#include "layers/algorithm.h"

namespace strata {

// Integers below 32 bits wrap in their own type, where C++ would promote them to int. Finds the
// first
//     s / c,  s >> c,  s < c (or another comparison),  cast(wider, s)
// in the expressions of a definition where s, a sum, difference or product of such integers, may in
// Z be outside of its type for some values that it reads; returns a text with the cast to write, or
// "" if there is none.
std::string note_on_wrapping(const Definition& definition);

}  // namespace strata
