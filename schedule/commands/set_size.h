#pragma once

#include <string>
#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// Gives the buffer of an array its extents, in elements; without the command it is as large as the
// box of the places touched.
//
//     { b[i, ..] : 0 <= i < extents[0], .. }
//
// Of a buffer that an iteration has for itself (allocate_at, compute_at) they are constants, and
// count from the least place that the iteration touches: more than that needs is padding.
// Legal iff every place touched lies inside.
// Errors: E0101 no such array, or a parameter that is none of the function; E0106 an input's
// buffer, or an extent without a value; E0109 not one extent for each dimension; E0111 not affine;
// E0302 a value outside.  E0308, when code is generated: too small for an iteration.
Program set_size(const Program& program, const std::string& array,
                 const std::vector<Expr>& extents, Given given = {});

}  // namespace strata
