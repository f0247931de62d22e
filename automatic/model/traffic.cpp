#include "automatic/model/traffic.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace strata::automatic {

namespace {

// Bounds of the places of one buffer, by dimension: [lowest, highest].
struct Extents {
  std::vector<double> lowest, highest;
  std::int64_t bytes = 1;

  void unite(const Extents& other) {
    for (std::size_t d = 0; d < lowest.size(); ++d) {
      lowest[d] = std::min(lowest[d], other.lowest[d]);
      highest[d] = std::max(highest[d], other.highest[d]);
    }
  }
  double extent(std::size_t d) const { return highest[d] - lowest[d] + 1; }
  double rows() const {
    double product = 1;
    for (std::size_t d = 0; d + 1 < lowest.size(); ++d) product *= extent(d);
    return product;
  }
  double elements() const { return lowest.empty() ? 1 : rows() * extent(lowest.size() - 1); }
  // Bytes in whole units, which are lines or pages, since a run of neighbours may begin anywhere in
  // a unit. Rows that begin at most one unit apart are one run.
  double in_units(double unit, const std::vector<double>& pitch) const {
    if (lowest.empty()) return unit;
    std::size_t d = lowest.size() - 1;
    double run = extent(d) * double(bytes);
    for (; d > 0 && pitch[d - 1] <= unit; --d) run += (extent(d - 1) - 1) * pitch[d - 1];
    double runs = 1;
    for (; d > 0; --d) runs *= extent(d - 1);
    return runs * unit * std::ceil(run / unit + 0.5);
  }
};

// The bounds of what the loops from "depth" on touch, with the loops outside in their middle.
Extents extents_of(const Access& access, const Statement& s, std::size_t depth) {
  Extents e{{}, {}, access.bytes};
  for (std::size_t d = 0; d < access.at.size(); ++d) {
    double reach = 0;
    for (std::size_t l = depth; l < s.loops.size(); ++l)
      reach += std::abs(double(access.along[l][d])) * double(s.counts[l] - 1);
    e.lowest.push_back(double(access.at[d]) - reach / 2);
    e.highest.push_back(double(access.at[d]) + reach / 2);
  }
  return e;
}

// For each buffer, boxes that are far from each other.
using Footprint = std::map<std::string, std::vector<Extents>>;

// Adds a box. It joins the first box with which it has a hull of at most twice their elements: so
// the rows of a stencil are one box, but not the row and the column that an elimination reads.
void add(std::vector<Extents>& boxes, const Extents& e) {
  for (Extents& box : boxes) {
    if (box.lowest.size() != e.lowest.size()) continue;
    Extents hull = box;
    hull.unite(e);
    if (hull.elements() > 2 * (box.elements() + e.elements())) continue;
    box = std::move(hull);
    return;
  }
  boxes.push_back(e);
}

// What the statements touch from "depth" on, without buffers that are private to an iteration of a
// loop at "own" or further in.
Footprint footprint(const std::vector<const PlacedStatement*>& statements, std::size_t depth,
                    std::size_t own) {
  Footprint all;
  for (const PlacedStatement* p : statements)
    for (const Access& access : p->statement.accesses) {
      if (!access.known) continue;
      const auto allocated = p->allocated.find(access.buffer);
      if (allocated != p->allocated.end() && allocated->second > own) continue;
      add(all[access.buffer],
          extents_of(access, p->statement, std::min(depth, p->statement.loops.size())));
    }
  return all;
}

double bytes_of(const Footprint& footprint, const Level& level) {
  double sum = 0;
  for (const auto& [buffer, boxes] : footprint)
    for (const Extents& box : boxes) sum += box.in_units(level.unit, level.pitches.at(buffer));
  return sum;
}

// The bytes of accesses whose places depend on data: one unit for each access.
double scattered(const PlacedStatement& p, std::size_t depth, double unit) {
  const Statement& s = p.statement;
  const auto unknown = std::count_if(s.accesses.begin(), s.accesses.end(),
                                     [](const Access& access) { return !access.known; });
  return double(unknown) * unit * s.iterations(std::min(depth, s.loops.size()), s.loops.size());
}

constexpr std::size_t none = 1000;

}  // namespace

Pitches pitches_of(const std::vector<const PlacedStatement*>& statements) {
  std::map<std::string, Extents> boxes;
  for (const PlacedStatement* p : statements)
    for (const Access& access : p->statement.accesses) {
      if (!access.known) continue;
      const auto own = p->allocated.find(access.buffer);
      const Extents e =
          extents_of(access, p->statement, own == p->allocated.end() ? 0 : own->second);
      const auto [found, added] = boxes.emplace(access.buffer, e);
      if (!added && found->second.lowest.size() == e.lowest.size()) found->second.unite(e);
    }
  Pitches pitches;
  for (const auto& [buffer, box] : boxes) {
    std::vector<double>& pitch = pitches[buffer];
    pitch.assign(box.lowest.size(), double(box.bytes));
    for (std::size_t d = pitch.size(); d-- > 1;) pitch[d - 1] = pitch[d] * box.extent(d);
  }
  return pitches;
}

double traffic(const std::vector<const PlacedStatement*>& statements, std::size_t depth,
               const Level& level) {
  const double whole = bytes_of(footprint(statements, depth, none), level);
  const double outside = bytes_of(footprint(statements, depth, depth), level);
  double random = 0;
  for (const PlacedStatement* p : statements) random += scattered(*p, depth, level.unit);
  if (whole <= level.capacity) return outside + random;
  // The statements under each loop at this depth.
  std::map<int, std::vector<const PlacedStatement*>> nodes;
  double sum = 0;
  for (const PlacedStatement* p : statements) {
    if (depth < p->statement.loops.size())
      nodes[p->statement.path[depth]].push_back(p);
    else
      sum += bytes_of(footprint({p}, depth, depth), level);
  }
  for (const auto& [position, inside] : nodes) {
    const double one = bytes_of(footprint(inside, depth + 1, none), level);
    const double count = double(inside.front()->statement.counts[depth]);
    if (one <= level.capacity)
      sum += bytes_of(footprint(inside, depth, depth + 1), level) + random;
    else
      sum += count * traffic(inside, depth + 1, level);
  }
  return sum;
}

double streams(const PlacedStatement& placed) {
  constexpr double longest_row = 4096;  // bytes: longer rows are few, and each is a stream
  constexpr double most = 200;          // more rows do not belong to a picture
  const Statement& s = placed.statement;
  const std::size_t block = block_of(s);
  double worst = 0;
  for (std::size_t depth = block < 2 ? 0 : block - 2; depth <= block; ++depth) {
    double rows = 0;
    for (const auto& [buffer, boxes] : footprint({&placed}, depth, 0))
      for (const Extents& e : boxes)
        if (e.lowest.size() > 1 && e.extent(e.lowest.size() - 1) * double(e.bytes) <= longest_row)
          rows += e.rows();
    if (rows <= most) worst = std::max(worst, rows);
  }
  return worst;
}

}  // namespace strata::automatic
