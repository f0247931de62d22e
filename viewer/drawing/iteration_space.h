// The iteration space around the witness of a refusal, as grids of points.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "layers/program.h"

namespace strata {

// A point of a grid: a column and a row.
struct GridPoint {
  long column = 0, row = 0;

  auto operator<=>(const GridPoint&) const = default;
};

// A plane of the domain of a computation or an input: two of its dimensions, the others fixed.
struct PointGrid {
  std::string name;               // of the computation or the input
  std::string across, down;       // the dimensions shown; "" if the domain has fewer
  std::string plane;              // "t = 1, k = 0": the fixed dimensions; may be empty
  GridPoint first, last;          // the corners of the window
  std::vector<GridPoint> points;  // the points of the domain in the window, row by row
  bool cut = false;               // the plane has points outside the window
  std::vector<int> order;         // of each point, from 1: its place among the points of all
                                  // grids in the order of the refused schedule; empty: unknown
};

struct IterationSpace {
  std::vector<PointGrid> grids;
  // Of each execution of the witness: its grid, and its point, which may be no point of the domain.
  struct Shown {
    std::size_t grid = 0;
    GridPoint point;
  };
  std::vector<Shown> executions;
};

// A window has at most this number of rows and columns.
inline constexpr long longest_window = 16;

// The grids of the computations and inputs that the witness names, at its parameters. Each is the
// plane of the last two dimensions in which the executions of its computation differ, or else of
// the last two. Executions in different planes, or too far apart for a window, have a grid each.
// Nothing if there is no witness, or its executions cannot be read.
//
// The order of the points is that of the refused command; it is unknown if the command cannot be
// repeated, if its times are not those of the witness, or if some of the loops around the points do
// not run in order.
std::optional<IterationSpace> iteration_space(const Program& program, const Refusal& refusal);

}  // namespace strata
