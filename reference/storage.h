// The places of elements under the layout, point by point.
#pragma once

#include "layers/program.h"
#include "reference/points.h"

namespace strata::reference {

struct Stored {
  std::string buffer;
  std::map<Point, Point> places;  // element -> index into the buffer
};

// The extents that the author gave the buffer.
Point extents_of(const LayoutBuffer& buffer, const Parameters& parameters);

// The places of all elements of an array or input with a layout entry. Throws std::runtime_error
// if an element does not have exactly one.
Stored stored(const Program& program, const std::string& array, const Parameters& parameters);

// "program" with the automatic places of arrays and results without a layout entry: one per
// element, { X[e] -> X[e] }, in a buffer of the array's own name. An array gets none if its name
// is already that of a buffer, which code generation refuses.
Program with_automatic_places(const Program& program);

}  // namespace strata::reference
