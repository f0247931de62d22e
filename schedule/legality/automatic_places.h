// The places that arrays have where no store_in gives them any.
#pragma once

#include <string>

#include "layers/program.h"

namespace strata {

// Gives "array", which has no buffer yet, one of its own name, which must be free, with one element
// for each value: { X[e] -> X[e] }.
void add_own_buffer(Program& program, const std::string& array);

// "program" with the buffers of their own that arrays will have in which something can meet: an
// element is updated, or a value is written again and again (recomputation).  Elsewhere a place has
// one value, which is written once: no question of storage can fail.  So commands are judged with
// the storage that code will have.
Program with_automatic_places(const Program& program);

}  // namespace strata
