// The places that arrays have where no store_in gives them any.
//
// Arrays in which something can meet have a buffer of their own: an element is updated, or a value is
// written again and again (recomputation).  Elsewhere a place has one value, which is written once:
// no question of storage can fail.  So commands are judged with the storage that code will have.
#pragma once

#include <string>

#include "layers/layout.h"

namespace strata {

// Gives "array", which has no buffer yet, one of its own name, which must be free, with one element
// for each value: { X[e] -> X[e] }.
void add_own_buffer(Layout& layout, const Algorithm& algorithm, const std::string& array);

// Does the definition redefine elements of its array?
bool is_update(const Definition& definition);

}  // namespace strata
