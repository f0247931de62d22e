// What is allowed, and perhaps not what an author meant.
#pragma once

#include <string>

#include "layers/algorithm.h"

namespace strata {

// Integers below 32 bits wrap in their own type, where C++ would have made them int first.  The
// first
//     s / c,  s >> c,  s < c (or another comparison),  cast(wider, s)
// in the expressions of a definition such that s, a sum, difference or product of such integers,
// would in Z lie outside of its type for some values of what it reads; with the cast to write.  ""
// where there is none.
std::string note_on_wrapping(const Definition& definition);

}  // namespace strata
