// Fewest points that meet arcs, against all subsets of the points.
#include "layers/flow/stabbing.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

namespace strata::test::stabbing_test {

namespace {

// Does the arc contain the point?  Counted step by step.
bool contains(const Arc& arc, int point, int points) {
  for (int step = 0; step < arc.length; ++step)
    if ((arc.first + step) % points == point) return true;
  return false;
}

bool meet_all(const std::vector<Arc>& arcs, const std::vector<int>& chosen, int points) {
  return std::all_of(arcs.begin(), arcs.end(), [&](const Arc& arc) {
    return std::any_of(chosen.begin(), chosen.end(),
                       [&](int point) { return contains(arc, point, points); });
  });
}

std::size_t least(const std::vector<Arc>& arcs, int points, std::optional<int> given) {
  std::size_t best = std::size_t(points);
  for (int bits = 0; bits < 1 << points; ++bits) {
    std::vector<int> chosen;
    for (int point = 0; point < points; ++point)
      if (bits >> point & 1) chosen.push_back(point);
    if (given && !(bits >> *given & 1)) continue;
    if (meet_all(arcs, chosen, points)) best = std::min(best, chosen.size());
  }
  return best;
}

}  // namespace

TEST_CASE("fewest points of arcs", "[layers][gpu][barriers]") {
  CHECK(fewest_points({}, 3).empty());
  CHECK(fewest_points({{0, 1}, {1, 1}}, 2) == std::vector<int>{0, 1});
  CHECK(fewest_points({{0, 3}}, 3) == std::vector<int>{2});
  CHECK(fewest_points({{0, 2}, {1, 2}}, 4) == std::vector<int>{1});
  CHECK(fewest_points({{2, 2}}, 3) == std::vector<int>{2});
  CHECK(fewest_points({}, 3, 2) == std::vector<int>{2});
  CHECK(fewest_points({{0, 1}, {2, 1}}, 3, 2) == std::vector<int>{0, 2});
}

TEST_CASE("no smaller set of points meets all arcs", "[layers][gpu][barriers]") {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    const int points = 1 + int(random() % 7);
    std::vector<Arc> arcs(random() % 6);
    for (Arc& arc : arcs) arc = {int(random()) % points, 1 + int(random() % unsigned(points))};
    for (Arc& arc : arcs) arc.first = std::abs(arc.first);
    const std::optional<int> given =
        random() % 3 == 0 ? std::optional<int>(points - 1) : std::nullopt;
    const std::vector<int> found = fewest_points(arcs, points, given);
    CHECK(std::is_sorted(found.begin(), found.end()));
    CHECK((!given || std::count(found.begin(), found.end(), *given) == 1));
    CHECK(meet_all(arcs, found, points));
    CHECK(found.size() == least(arcs, points, given));
  }
}

}  // namespace strata::test::stabbing_test
