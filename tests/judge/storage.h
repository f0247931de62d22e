// Where the layout puts elements, point by point.
#pragma once

#include "layers/program.h"
#include "tests/judge/points.h"

namespace strata::judge {

struct Stored {
  std::string buffer;
  std::map<Point, Point> places;  // element -> index into the buffer
};

// The extents that the author gave a buffer.
Point extents_of(const LayoutBuffer& buffer, const Parameters& parameters);

// The places of all elements of an array or input, which has an entry in the layout.  Throws
// std::runtime_error if an element has not exactly one.
Stored stored(const Program& program, const std::string& array, const Parameters& parameters);

}  // namespace strata::judge
