#include "viewer/drawing/refusal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/witness_text.h"
#include "viewer/drawing/grid_frame.h"
#include "viewer/drawing/iteration_space.h"
#include "viewer/drawing/svg.h"

namespace strata {

namespace {

using Spot = GridFrame::Position;

constexpr int line_characters = 76;
constexpr int mark_size = 17;  // from the middle of an execution's shape to its edge

// What marks the executions of a witness: a shape and a pale colour each.
constexpr std::array<const char*, 3> mark_fills = {"#cfe2ff", "#ffdfae", "#f6c6d3"};

PictureBox around(Spot p, int reach) { return {p.x - reach, p.y - reach, 2 * reach, 2 * reach}; }

void draw_mark(Svg& svg, std::size_t execution, Spot p, bool exists, const std::string& title) {
  const int r = mark_size;
  SvgAttributes look = {
      {"fill", mark_fills[execution % mark_fills.size()]}, {"stroke", ink}, {"stroke-width", 2}};
  if (!exists) look.emplace_back("stroke-dasharray", "3 3");
  const auto with = [&](SvgAttributes place) {
    place.insert(place.end(), look.begin(), look.end());
    return place;
  };
  if (execution == 0) {
    svg.add("circle", with({{"cx", p.x}, {"cy", p.y}, {"r", r}}), title);
  } else if (execution == 1) {
    svg.add(
        "rect",
        with({{"x", p.x - r + 1}, {"y", p.y - r + 1}, {"width", 2 * r - 2}, {"height", 2 * r - 2}}),
        title);
  } else {
    const auto at = [&](int dx, int dy) {
      return std::to_string(p.x + dx) + "," + std::to_string(p.y + dy) + " ";
    };
    const int d = r + 2;
    svg.add("polygon", with({{"points", at(0, -d) + at(d, 0) + at(0, d) + at(-d, 0)}}), title);
  }
}

// From the middle of an execution's shape to its edge, towards a point dx, dy away.
double mark_reach(std::size_t execution, double dx, double dy) {
  const double x = std::abs(dx), y = std::abs(dy), length = std::hypot(x, y);
  if (execution == 0 || length < 1) return mark_size;
  if (execution == 1) return (mark_size - 1) * length / std::max(x, y);
  return (mark_size + 2) * length / (x + y);
}

// ---- what the executions have to do with each other ----

// A line between two executions.
struct Link {
  std::size_t from, to;
  bool value;  // an arrow, the way of a value; else they meet
  std::string label;
  Spot control = {0, 0};  // of its curve
};

bool contains(const std::string& text, const char* word) {
  return text.find(word) != std::string::npos;
}

// Read from the story: "{1} uses" or "{1} reads" what {0} has, or "{0} reads" what {1} should have;
// {2} overwrites it.
std::vector<Link> links_of(const Witness& witness) {
  std::vector<Link> links;
  const std::size_t executions = witness.executions.size();
  if (executions < 2 || witness.story.size() < 2) return links;
  const std::string place = witness.place.empty() ? "" : " in " + witness.place;
  if (contains(witness.story[1], "uses") || contains(witness.story[1], "reads"))
    links.push_back({0, 1, true, "value" + place});
  else if (contains(witness.story[0], "reads"))
    links.push_back({1, 0, true, "value" + place});
  else
    links.push_back({0, 1, false, witness.place.empty() ? "" : "both: " + witness.place});
  if (executions > 2) links.push_back({2, 0, false, "overwrites"});
  return links;
}

// ---- the picture ----

class RefusalPicture {
 public:
  RefusalPicture(const Program& program, const Refusal& refusal)
      : refusal_(refusal), space_(iteration_space(program, refusal)) {}

  std::string drawn() {
    header();
    if (space_) grids();
    if (refusal_.witness) story(*refusal_.witness);
    if (!refusal_.mend.empty()) lines("to fix it: " + refusal_.mend, 0);
    return picture();
  }

  std::string witness_alone() {
    if (!space_) return "";
    grids();
    story(*refusal_.witness);
    return picture();
  }

 private:
  std::string picture() const {
    return svg_.picture(width_ + picture_margin, y_,
                        to_string(refusal_.code) + ": " + refusal_.explanation);
  }

  void line(int x, const std::string& text, const SvgAttributes& look = {}) {
    svg_.text(x, y_ + text_size, text, look);
    width_ = std::max(width_, x + text_width(text));
    y_ += line_height;
  }

  void lines(const std::string& text, int indent, const SvgAttributes& look = {}) {
    for (const std::string& part : wrapped(text, line_characters))
      line(picture_margin + indent, shortened(part, line_characters), look);
    y_ += line_height / 3;
  }

  void header() {
    line(picture_margin, to_string(refusal_.code), {{"font-weight", "bold"}});
    if (!refusal_.command.empty()) lines("in " + refusal_.command, 0);
    lines(refusal_.explanation, 0);
    if (refusal_.witness && !refusal_.witness->parameters.empty())
      lines("for example, with " + refusal_.witness->parameters, 0, {{"fill", faint_ink}});
  }

  void grids() {
    const std::vector<GridFrame> frames = placed_grids();
    for (const auto& execution : space_->executions) {
      spots_.push_back(frames[execution.grid].at(execution.point));
      taken_.push_back(around(spots_.back(), mark_size));
    }
    for (std::size_t g = 0; g < frames.size(); ++g) {
      frames[g].draw_axes(svg_);
      for (const PictureBox& axis : frames[g].axes()) axes_.push_back(axis);
      for (const GridPoint& point : space_->grids[g].points)
        points_.push_back(around(frames[g].at(point), frames[g].radius()));
    }
    std::vector<Link> links = links_of(*refusal_.witness);
    for (Link& link : links) {
      link.control = control_of(link);
      draw_link(link);
    }
    for (std::size_t e = 0; e < spots_.size(); ++e) mark(e);
    for (const GridFrame& frame : frames) frame.draw_points(svg_);
    for (std::size_t e = 0; e < spots_.size(); ++e)
      label(refusal_.witness->executions[e].instance, spots_[e], mark_size + 2);
    for (const Link& link : links)
      if (!link.label.empty()) label(link.label, middle_of(link), 4);
    y_ += line_height;
  }

  // The grids side by side.
  std::vector<GridFrame> placed_grids() {
    const int top = y_ + line_height, between = 3 * picture_margin;
    int x = picture_margin;
    std::vector<GridFrame> frames;
    for (const PointGrid& grid : space_->grids) {
      frames.emplace_back(grid, x, top);
      x = frames.back().box().right() + between;
      y_ = std::max(y_, frames.back().box().bottom());
    }
    width_ = std::max(width_, x - between);
    return frames;
  }

  // The position of an execution's point in its grid, or nothing if it is not a point of the
  // domain.
  std::optional<std::size_t> position_of(std::size_t execution) const {
    const auto& [grid, point] = space_->executions[execution];
    const auto& points = space_->grids[grid].points;
    const auto found = std::find(points.begin(), points.end(), point);
    if (found == points.end()) return std::nullopt;
    return std::size_t(found - points.begin());
  }

  void mark(std::size_t execution) {
    draw_mark(svg_, execution, spots_[execution], position_of(execution).has_value(),
              refusal_.witness->executions[execution].instance);
  }

  // Its number in the order; empty if unknown.
  std::string order_of(std::size_t execution) const {
    if (!space_) return "";
    const auto& order = space_->grids[space_->executions[execution].grid].order;
    const auto position = position_of(execution);
    return order.empty() || !position ? "" : std::to_string(order[*position]);
  }

  // How often a link's curve meets points and axes, other than those at its ends.
  int met(const Link& link, Spot control) const {
    const PictureBox a = around(spots_[link.from], mark_size);
    const PictureBox b = around(spots_[link.to], mark_size);
    const Spot start = edge(link.from, control), end = edge(link.to, control);
    int count = 0;
    for (int k = 0; k <= 16; ++k) {
      const PictureBox here = around(along(start, control, end, k / 16.0), 3);
      for (const auto* things : {&points_, &axes_})
        for (const PictureBox& box : *things)
          count += overlap(here, box) && !overlap(a, box) && !overlap(b, box);
    }
    return count;
  }

  // The control point of a link's curve: the middle, or aside if points are on the straight line,
  // on the side where fewer things are.
  Spot control_of(const Link& link) const {
    const Spot a = spots_[link.from], b = spots_[link.to];
    const Spot middle = {(a.x + b.x) / 2, (a.y + b.y) / 2};
    const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
    if (length < 1) return {a.x + 3 * mark_size, a.y - 3 * mark_size};
    const double bow = std::min(60.0, length * 0.6) / length;
    const int x = int(std::lround(dy * bow)), y = int(std::lround(dx * bow));
    Spot best = middle;
    for (const Spot aside : {Spot{middle.x + x, middle.y - y}, Spot{middle.x - x, middle.y + y}})
      if (met(link, aside) < met(link, best)) best = aside;
    return best;
  }

  // The point of a quadratic curve from a to b, with the control point c, at t in [0, 1].
  static Spot along(Spot a, Spot c, Spot b, double t) {
    const auto one = [&](int from, int control, int to) {
      return int(std::lround((1 - t) * (1 - t) * from + 2 * t * (1 - t) * control + t * t * to));
    };
    return {one(a.x, c.x, b.x), one(a.y, c.y, b.y)};
  }

  Spot middle_of(const Link& link) const {
    return along(spots_[link.from], link.control, spots_[link.to], 0.5);
  }

  // The point at "distance" from "from" towards "to".
  static Spot towards(Spot from, Spot to, double distance) {
    const double dx = to.x - from.x, dy = to.y - from.y;
    const double length = std::max(1.0, std::hypot(dx, dy));
    return {from.x + int(std::lround(dx / length * distance)),
            from.y + int(std::lround(dy / length * distance))};
  }

  // The point at the edge of an execution's mark towards "control".
  Spot edge(std::size_t execution, Spot control) const {
    const Spot p = spots_[execution];
    return towards(p, control, mark_reach(execution, control.x - p.x, control.y - p.y) + 2);
  }

  void draw_link(const Link& link) {
    const Spot control = link.control;
    const Spot start = edge(link.from, control), tip = edge(link.to, control);
    const Spot end = link.value ? towards(tip, control, 9) : tip;
    const auto text = [](Spot p) { return std::to_string(p.x) + " " + std::to_string(p.y); };
    SvgAttributes look = {{"d", "M " + text(start) + " Q " + text(control) + " " + text(end)},
                          {"fill", "none"},
                          {"stroke", ink},
                          {"stroke-width", 2}};
    if (!link.value) look.emplace_back("stroke-dasharray", "5 4");
    const auto& executions = refusal_.witness->executions;
    svg_.add("path", look,
             executions[link.from].instance + (link.value ? " to " : " and ") +
                 executions[link.to].instance);
    for (int k = 0; k <= 8; ++k) {
      taken_.push_back(around(along(start, control, end, k / 8.0), 3));
      y_ = std::max(y_, taken_.back().bottom());
    }
    if (!link.value) return;
    const double dx = tip.x - end.x, dy = tip.y - end.y;
    const Spot left = {end.x - int(std::lround(dy * 0.5)), end.y + int(std::lround(dx * 0.5))};
    const Spot right = {end.x + int(std::lround(dy * 0.5)), end.y - int(std::lround(dx * 0.5))};
    svg_.add("polygon", {{"points", text(tip) + " " + text(left) + " " + text(right)}});
  }

  // A label beside a spot, where it is on the fewest things.
  void label(const std::string& text, Spot spot, int reach) {
    const int width = text_width(text) + 6, height = text_size + 4;
    const auto cost = [&](const PictureBox& place) {
      int sum = place.x < 2 ? 1000 : 0;
      for (const PictureBox& box : taken_) sum += overlap(place, box) ? 100 : 0;
      for (const auto* things : {&points_, &axes_})
        for (const PictureBox& box : *things) sum += overlap(place, box) ? 10 : 0;
      return sum;
    };
    std::vector<PictureBox> places;
    for (const int away : {reach, reach + height, reach + 2 * height, reach + 3 * height})
      for (const int y : {spot.y - away - height, spot.y + away, spot.y - height / 2})
        for (const int x : {spot.x - width / 2, spot.x + away, spot.x - away - width})
          if (y != spot.y - height / 2 || x != spot.x - width / 2)
            places.push_back({x, y, width, height});
    const PictureBox best =
        *std::min_element(places.begin(), places.end(),
                          [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
    svg_.add("rect", attributes_of(best, {{"fill", paper}, {"fill-opacity", "0.85"}}));
    svg_.text(best.x + 3, best.bottom() - 4, text, {{"font-weight", "bold"}});
    taken_.push_back(best);
    width_ = std::max(width_, best.right());
    y_ = std::max(y_, best.bottom());
  }

  // The lines of the story, each with the mark of its execution.
  void story(const Witness& witness) {
    for (const std::string& line : witness.story) {
      std::size_t execution = 0;
      while (execution < witness.executions.size() &&
             !contains(line, ("{" + std::to_string(execution) + "}").c_str()))
        ++execution;
      const int middle = y_ + mark_size + 2;
      if (execution < witness.executions.size()) {
        draw_mark(svg_, execution, {picture_margin + mark_size, middle}, true, "");
        svg_.text(picture_margin + mark_size, middle + 4, order_of(execution),
                  {{"font-size", 10}, {"text-anchor", "middle"}});
      }
      y_ = middle - line_height / 2;
      lines(told(line, witness.executions), 3 * mark_size);
      y_ = std::max(y_, middle + mark_size + 6);
    }
    if (!witness.place.empty()) lines("at element: " + witness.place, 0);
    if (space_ && !space_->grids.front().order.empty())
      lines("The numbers are the order in which the refused schedule runs the points.", 0,
            {{"fill", faint_ink}});
  }

  const Refusal& refusal_;
  std::optional<IterationSpace> space_;
  Svg svg_;
  int width_ = 0, y_ = picture_margin;
  std::vector<Spot> spots_;         // of the executions
  std::vector<PictureBox> axes_;    // and headings
  std::vector<PictureBox> points_;  // of all grids
  std::vector<PictureBox> taken_;   // by marks, links and labels
};

}  // namespace

std::string draw_refusal(const Program& program, const Refusal& refusal) {
  return RefusalPicture(program, refusal).drawn();
}

std::string draw_witness(const Program& program, const Refusal& refusal) {
  return RefusalPicture(program, refusal).witness_alone();
}

}  // namespace strata
