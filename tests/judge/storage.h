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

// "program" with the places that code will give the arrays and results that no entry of the layout
// mentions: in a buffer of the array's own name one for each element, { X[e] -> X[e] }; but where
// something else has a buffer of that name, which code generation refuses.
Program with_automatic_places(const Program& program);

}  // namespace strata::judge
