// The fewest points of a circle that meet all of some arcs.
#pragma once

#include <optional>
#include <vector>

namespace strata {

// The points first, first + 1, .., first + length - 1 of a circle, modulo its number of points.
struct Arc {
  int first, length;
};

bool meets(const Arc& arc, int point, int points);

// A set of points of least size, in ascending order, of which each arc has one; with "given" among
// them, if there is one.  Arcs on a line are arcs that do not cross the end of the circle.
//
// A point cuts the circle into a line, where the leftmost right end of an arc is taken again and
// again; each point is tried as the cut, the last one first, so among sets of one size one with
// late points is taken.
std::vector<int> fewest_points(const std::vector<Arc>& arcs, int points,
                               std::optional<int> given = std::nullopt);

}  // namespace strata
