// What becomes of the iterations of a loop that the border of the domain cuts off.
#pragma once

#include <string>

namespace strata {

// Code is the same in meaning whatever is chosen: the same executions, in an order that the
// processors of the loops permit.
//
//  automatic  where all iterations of the loop's tiles run, a copy of the nest without conditions;
//             what is left looks for full tiles of its own further in, within a bound on copies
//  separate   one copy where they all run, and one for the rest, with conditions inside
//  guard      one copy, with conditions inside
//  mask       of a vector loop: one copy, in which lanes beyond the border are switched off
enum class Border { automatic, separate, guard, mask };

std::string to_string(Border border);

}  // namespace strata
