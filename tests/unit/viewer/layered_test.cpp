// Graphs in layers.
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

#include "viewer/drawing/layered.h"

namespace strata::test::layered_test {

bool is_below(const PictureBox& lower, const PictureBox& upper) { return upper.bottom() < lower.y; }

// Boxes are in the picture and apart; each way goes down from one box to the other, past all boxes.
void require_drawn(const LayeredGraph& graph, const std::vector<LayeredEdge>& edges) {
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const PictureBox& box = graph.nodes[n];
    REQUIRE(
        (box.x >= 0 && box.y >= 0 && box.right() <= graph.width && box.bottom() <= graph.height));
    for (std::size_t m = 0; m < n; ++m) REQUIRE(!overlap(box, graph.nodes[m]));
  }
  REQUIRE(graph.ways.size() == edges.size());
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const PictureBox& from = graph.nodes[std::size_t(edges[k].from)];
    const PictureBox& to = graph.nodes[std::size_t(edges[k].to)];
    REQUIRE(is_below(to, from));
    const std::vector<PicturePoint>& way = graph.ways[k];
    REQUIRE((way.front().y == from.bottom() && way.back().y == to.y));
    for (std::size_t p = 1; p < way.size(); ++p) REQUIRE(way[p - 1].y < way[p].y);
    for (std::size_t p = 1; p + 1 < way.size(); ++p)
      for (const PictureBox& box : graph.nodes) REQUIRE(!overlap(box, {way[p].x, way[p].y, 1, 1}));
  }
}

TEST_CASE("nodes are below what they read, in the layer above their first reader", "[page]") {
  // 0 -> 1 -> 2 -> 4, 3 -> 4, 0 -> 4
  const std::vector<LayeredEdge> edges = {{0, 1}, {1, 2}, {3, 4}, {2, 4}, {0, 4}};
  const LayeredGraph graph = layered({40, 50, 60, 30, 20}, edges);
  require_drawn(graph, edges);
  CHECK(graph.nodes[3].y == graph.nodes[2].y);
  CHECK(graph.ways[0].size() == 2);
  CHECK(graph.ways[4].size() == 6);  // around 1 and 2
}

TEST_CASE("a chain is one straight line", "[page]") {
  const LayeredGraph graph = layered({40, 20, 90}, {{0, 1}, {1, 2}});
  for (const auto& way : graph.ways) CHECK(way.front().x == way.back().x);
}

TEST_CASE("boxes of 200 random graphs are apart, and edges pass between them", "[page]") {
  std::mt19937 random(3);
  const auto below = [&](int bound) { return int(random() % unsigned(bound)); };
  for (int round = 0; round < 200; ++round) {
    const int count = 1 + below(40);
    std::vector<int> widths;
    std::vector<LayeredEdge> edges;
    for (int n = 0; n < count; ++n) {
      widths.push_back(10 + below(150));
      for (int k = below(3); n > 0 && k > 0; --k)
        edges.push_back({std::max(0, n - 1 - below(8)), n});
    }
    CAPTURE(round);
    require_drawn(layered(widths, edges), edges);
  }
}

TEST_CASE("a graph without nodes is an empty picture", "[page]") {
  const LayeredGraph graph = layered({}, {});
  CHECK(graph.width == 0);
  CHECK(graph.height == 0);
}

}  // namespace strata::test::layered_test
