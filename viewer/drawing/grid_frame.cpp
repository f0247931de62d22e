#include "viewer/drawing/grid_frame.h"

#include <algorithm>

namespace strata {

namespace {

constexpr int tick_size = 10;
// Of rows and columns, in a small grid and in a large one.
constexpr int wide_pitch = 60, narrow_pitch = 46;
// From an axis to the first point: room for a mark and its label.
constexpr int axis_gap = 38;
constexpr long small_grid = 8;

long columns(const PointGrid& grid) { return grid.last.column - grid.first.column + 1; }
long rows(const PointGrid& grid) { return grid.last.row - grid.first.row + 1; }

int tick_width(long first, long last) {
  return std::max(text_width(std::to_string(first), tick_size),
                  text_width(std::to_string(last), tick_size));
}

}  // namespace

std::vector<std::string> GridFrame::heading(const PointGrid& grid) {
  std::vector<std::string> lines = {grid.name};
  if (!grid.plane.empty()) lines.push_back("where " + grid.plane);
  if (grid.cut) lines.push_back("cut: there are more points");
  return lines;
}

GridFrame::GridFrame(const PointGrid& grid, int x, int y) : grid_(grid) {
  pitch_ = std::max(columns(grid), rows(grid)) <= small_grid ? wide_pitch : narrow_pitch;
  const std::vector<std::string> lines = heading(grid);
  const int ticks = grid.down.empty() ? 0 : tick_width(grid.first.row, grid.last.row) + 8;
  const int left = std::max(ticks, text_width(grid.down) + 8);
  origin_ = {x + left + axis_gap, y + int(lines.size()) * line_height + 24 + axis_gap};
  int width =
      left + axis_gap + int(columns(grid)) * pitch_ - pitch_ / 2 + 16 + text_width(grid.across);
  for (const std::string& line : lines) width = std::max(width, text_width(line));
  box_ = {x, y, width, origin_.y + int(rows(grid)) * pitch_ - pitch_ / 2 + 20 - y};
}

GridFrame::Position GridFrame::at(const GridPoint& point) const {
  return {origin_.x + int(point.column - grid_.first.column) * pitch_,
          origin_.y + int(point.row - grid_.first.row) * pitch_};
}

int GridFrame::radius() const { return grid_.order.empty() ? 5 : 11; }

std::vector<PictureBox> GridFrame::axes() const {
  const int left = origin_.x - axis_gap, top = origin_.y - axis_gap;
  const int lines = int(heading(grid_).size());
  std::vector<PictureBox> boxes = {{box_.x, box_.y, box_.width, lines * line_height}};
  if (!grid_.across.empty()) boxes.push_back({left, top - 18, box_.right() - left, 20});
  if (!grid_.down.empty()) boxes.push_back({box_.x, top, left + 2 - box_.x, box_.bottom() - top});
  return boxes;
}

void GridFrame::draw_ticks(Svg& svg, bool across) const {
  const long first = across ? grid_.first.column : grid_.first.row;
  const long last = across ? grid_.last.column : grid_.last.row;
  const long step = across ? (tick_width(first, last) + 4) / pitch_ + 1 : 1;
  for (long n = first; n <= last; n += step) {
    const Position p = at({across ? n : grid_.first.column, across ? grid_.first.row : n});
    if (across)
      svg.text(p.x, origin_.y - axis_gap - 5, std::to_string(n), {{"text-anchor", "middle"}});
    else
      svg.text(origin_.x - axis_gap - 5, p.y + 4, std::to_string(n), {{"text-anchor", "end"}});
  }
}

void GridFrame::draw_axes(Svg& svg) const {
  int y = box_.y + text_size;
  for (const std::string& line : heading(grid_)) {
    const bool name = y == box_.y + text_size;
    svg.text(box_.x, y, line,
             name ? SvgAttributes{{"font-weight", "bold"}} : SvgAttributes{{"fill", faint_ink}});
    y += line_height;
  }
  const int left = origin_.x - axis_gap, top = origin_.y - axis_gap;
  const int right = at(grid_.last).x + pitch_ / 2, bottom = at(grid_.last).y + pitch_ / 2;
  svg.open({{"stroke", faint_ink}});
  if (!grid_.across.empty())
    svg.add("line", {{"x1", left}, {"y1", top}, {"x2", right + 6}, {"y2", top}});
  if (!grid_.down.empty())
    svg.add("line", {{"x1", left}, {"y1", top}, {"x2", left}, {"y2", bottom + 6}});
  svg.close();
  if (!grid_.across.empty())
    svg.text(right + 10, top + 4, grid_.across, {{"font-style", "italic"}});
  if (!grid_.down.empty())
    svg.text(left, bottom + 18, grid_.down, {{"font-style", "italic"}, {"text-anchor", "middle"}});
  svg.open({{"font-size", tick_size}, {"fill", faint_ink}});
  if (!grid_.across.empty()) draw_ticks(svg, true);
  if (!grid_.down.empty()) draw_ticks(svg, false);
  svg.close();
}

void GridFrame::draw_points(Svg& svg) const {
  svg.open({{"fill", grid_.order.empty() ? "#c3cbd4" : paper}, {"stroke", faint_ink}});
  for (const GridPoint& point : grid_.points) {
    const Position p = at(point);
    std::string title = grid_.name;
    if (!grid_.plane.empty()) title += ", " + grid_.plane;
    if (!grid_.down.empty()) title += ", " + grid_.down + " = " + std::to_string(point.row);
    if (!grid_.across.empty()) title += ", " + grid_.across + " = " + std::to_string(point.column);
    svg.add("circle", {{"cx", p.x}, {"cy", p.y}, {"r", radius()}, {"data-mark", "c:" + grid_.name}},
            title);
  }
  svg.close();
  if (grid_.order.empty()) return;
  svg.open({{"font-size", 9}, {"text-anchor", "middle"}, {"pointer-events", "none"}});
  for (std::size_t k = 0; k < grid_.points.size(); ++k) {
    const Position p = at(grid_.points[k]);
    svg.text(p.x, p.y + 3, std::to_string(grid_.order[k]));
  }
  svg.close();
}

}  // namespace strata
