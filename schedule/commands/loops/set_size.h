#pragma once

#include <string>
#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// Sets the extents of an array's buffer, in elements. By default it is as large as the bounding box
// of the places touched.
//
//     { b[i, ..] : 0 <= i < extents[0], .. }
//
// A buffer of an iteration (allocate_at, compute_at) must have constant extents, counted from the
// least place that the iteration touches; what is more than needed is padding.
// Legal iff every place touched is in bounds.
// Errors: E0101 no such array, or a parameter of another function; E0106 an input's buffer, or an
// extent without a value; E0109 not one extent for each dimension; E0111 not affine; E0302 a value
// out of bounds; and, at code generation, E0308 too small for an iteration.
Program set_size(const Program& program, const std::string& array, const std::vector<Expr>& extents,
                 Given given = {});

}  // namespace strata
