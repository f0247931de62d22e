// The places of arrays without a store_in.
//
// An array gets a buffer of its own if values can conflict in it: an element is updated, or a value
// is written several times (recomputation). In any other array each place holds one value, written
// once, and no question about storage can fail. So commands are judged with the storage that the
// code will have.
#pragma once

#include <string>

#include "layers/layout.h"

namespace strata {

// Gives "array", which must not have a buffer yet, one of its own name, which must be free, with
// one element per value: { X[e] -> X[e] }.
void add_own_buffer(Layout& layout, const Algorithm& algorithm, const std::string& array);

// Does the definition redefine elements of its array?
bool is_update(const Definition& definition);

}  // namespace strata
