#include "layers/flow/stabbing.h"

#include <algorithm>

namespace strata {

namespace {

// "cut", and the fewest other points that meet the arcs without "cut".
std::vector<int> with_cut(const std::vector<Arc>& arcs, int points, int cut) {
  std::vector<Arc> line;
  for (const Arc& arc : arcs)
    if (!meets(arc, cut, points)) line.push_back({(arc.first - cut + points) % points, arc.length});
  std::sort(line.begin(), line.end(),
            [](const Arc& a, const Arc& b) { return a.first + a.length < b.first + b.length; });
  std::vector<int> chosen{cut};
  int last = 0;
  for (const Arc& arc : line) {
    if (arc.first <= last) continue;
    last = arc.first + arc.length - 1;
    chosen.push_back((cut + last) % points);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

bool meets(const Arc& arc, int point, int points) {
  return (point - arc.first + points) % points < arc.length;
}

std::vector<int> fewest_points(const std::vector<Arc>& arcs, int points, std::optional<int> given) {
  if (given) return with_cut(arcs, points, *given);
  if (arcs.empty()) return {};
  std::vector<int> best = with_cut(arcs, points, points - 1);
  for (int cut = points - 1; cut-- > 0;) {
    std::vector<int> other = with_cut(arcs, points, cut);
    if (other.size() < best.size()) best = std::move(other);
  }
  return best;
}

}  // namespace strata
