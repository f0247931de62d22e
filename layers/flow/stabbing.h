// The fewest points of a circle that meet given arcs: each arc contains one of them.
#pragma once

#include <optional>
#include <vector>

namespace strata {

// The points first, first + 1, .., first + length - 1 of a circle, modulo its number of points.
struct Arc {
  int first, length;
};

bool meets(const Arc& arc, int point, int points);

// A smallest set of points, in ascending order, such that each arc contains one of them. It
// contains "given", if that is set. Arcs on a line are arcs that do not cross the end of the
// circle.
//
// A chosen point cuts the circle into a line. There the greedy choice is the best: while some arc
// has no point, choose the leftmost right end of these arcs. Each point is tried as the cut, the
// last one first. So among smallest sets, one with late points is chosen.
std::vector<int> fewest_points(const std::vector<Arc>& arcs, int points,
                               std::optional<int> given = std::nullopt);

}  // namespace strata
