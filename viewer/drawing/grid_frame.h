// A grid of points in a picture: where its points, its axes and its heading are.
#pragma once

#include "viewer/drawing/iteration_space.h"
#include "viewer/drawing/svg.h"

namespace strata {

class GridFrame {
 public:
  // "x" and "y" are the upper left corner. The grid must outlive the frame.
  GridFrame(const PointGrid& grid, int x, int y);

  struct Position {
    int x, y;
  };
  Position at(const GridPoint& point) const;
  PictureBox box() const { return box_; }
  int radius() const;                    // of a point
  std::vector<PictureBox> axes() const;  // with their numbers, and the heading
  void draw_axes(Svg& svg) const;
  void draw_points(Svg& svg) const;
  // The lines above the grid and below it.
  static std::vector<std::string> heading(const PointGrid& grid);

 private:
  void draw_ticks(Svg& svg, bool across) const;

  const PointGrid& grid_;
  int pitch_;
  Position origin_;  // of the first point
  PictureBox box_;
};

}  // namespace strata
