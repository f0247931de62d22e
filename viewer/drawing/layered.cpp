#include "viewer/drawing/layered.h"

#include <algorithm>
#include <numeric>

namespace strata {

namespace {

constexpr int node_height = 26, layer_gap = 30, node_gap = 18;
constexpr int bend_width = 6;  // of an edge that passes a layer
constexpr int order_rounds = 8, place_rounds = 6;

// Longest ways from the nodes that nothing leads to.
std::vector<int> layers_of(std::size_t count, const std::vector<LayeredEdge>& edges) {
  std::vector<int> layers(count, 0);
  std::vector<LayeredEdge> sorted = edges;
  std::sort(sorted.begin(), sorted.end(),
            [](const LayeredEdge& a, const LayeredEdge& b) { return a.from < b.from; });
  for (const LayeredEdge& e : sorted)
    layers[std::size_t(e.to)] =
        std::max(layers[std::size_t(e.to)], layers[std::size_t(e.from)] + 1);
  std::vector<int> first(count, -1);  // the first layer of a reader
  std::vector<bool> depends(count, false);
  for (const LayeredEdge& e : edges) {
    int& least = first[std::size_t(e.from)];
    const int layer = layers[std::size_t(e.to)];
    least = least < 0 ? layer : std::min(least, layer);
    depends[std::size_t(e.to)] = true;
  }
  for (std::size_t n = 0; n < count; ++n)
    if (!depends[n] && first[n] > 0) layers[n] = first[n] - 1;
  return layers;
}

// The graph with a bend in each layer that an edge passes: then edges join neighbouring layers.
class Layering {
 public:
  Layering(const std::vector<int>& widths, const std::vector<LayeredEdge>& edges)
      : count_(widths.size()), widths_(widths), layer_(layers_of(widths.size(), edges)) {
    above_.resize(count_);
    below_.resize(count_);
    for (const LayeredEdge& e : edges) add(e);
    for (std::size_t n = 0; n < widths_.size(); ++n) {
      const auto layer = std::size_t(layer_[n]);
      if (rows_.size() <= layer) rows_.resize(layer + 1);
      rows_[layer].push_back(int(n));
    }
  }

  LayeredGraph drawn() {
    order();
    place();
    LayeredGraph made;
    const int left = centres_.empty() ? 0 : left_side();
    for (std::size_t n = 0; n < count_; ++n) {
      made.nodes.push_back(
          {centre(int(n)) - widths_[n] / 2 - left, top(int(n)), widths_[n], node_height});
      made.width = std::max(made.width, made.nodes.back().right());
    }
    made.height = rows_.empty() ? 0 : int(rows_.size()) * (node_height + layer_gap) - layer_gap;
    for (const std::vector<int>& chain : chains_) made.ways.push_back(way(chain, left));
    for (const std::vector<PicturePoint>& way : made.ways)
      for (const PicturePoint& p : way) made.width = std::max(made.width, p.x + bend_width);
    return made;
  }

 private:
  void add(const LayeredEdge& e) {
    std::vector<int> chain = {e.from};
    for (int layer = layer_[std::size_t(e.from)] + 1; layer < layer_[std::size_t(e.to)]; ++layer) {
      chain.push_back(int(widths_.size()));
      widths_.push_back(bend_width);
      layer_.push_back(layer);
      above_.emplace_back();
      below_.emplace_back();
    }
    chain.push_back(e.to);
    for (std::size_t k = 1; k < chain.size(); ++k) {
      below_[std::size_t(chain[k - 1])].push_back(chain[k]);
      above_[std::size_t(chain[k])].push_back(chain[k - 1]);
    }
    chains_.push_back(std::move(chain));
  }

  // Sorts each layer by the mean places of the neighbours above, then below, and so on.
  void order() {
    std::vector<double> places(widths_.size(), 0);
    for (const auto& row : rows_) number(row, places);
    for (int round = 0; round < order_rounds; ++round) {
      const bool down = round % 2 == 0;
      for (std::size_t k = 0; k < rows_.size(); ++k) {
        std::vector<int>& row = rows_[down ? k : rows_.size() - 1 - k];
        std::vector<double> wanted = places;
        for (const int n : row) wanted[std::size_t(n)] = mean(n, down ? above_ : below_, places);
        std::stable_sort(row.begin(), row.end(), [&](int a, int b) {
          return wanted[std::size_t(a)] < wanted[std::size_t(b)];
        });
        number(row, places);
      }
    }
  }

  static void number(const std::vector<int>& row, std::vector<double>& places) {
    for (std::size_t k = 0; k < row.size(); ++k) places[std::size_t(row[k])] = double(k);
  }

  static double mean(int n, const std::vector<std::vector<int>>& neighbours,
                     const std::vector<double>& places) {
    const std::vector<int>& all = neighbours[std::size_t(n)];
    if (all.empty()) return places[std::size_t(n)];
    double sum = 0;
    for (const int other : all) sum += places[std::size_t(other)];
    return sum / double(all.size());
  }

  // Moves nodes towards the middle of their neighbours, and keeps their order and distances.
  void place() {
    centres_.assign(widths_.size(), 0);
    for (const auto& row : rows_) put(row, centres_);
    for (int round = 0; round < place_rounds; ++round) {
      const bool down = round % 2 == 0;
      for (std::size_t k = 0; k < rows_.size(); ++k) {
        const std::vector<int>& row = rows_[down ? k : rows_.size() - 1 - k];
        std::vector<double> wanted = centres_;
        for (const int n : row) wanted[std::size_t(n)] = mean(n, down ? above_ : below_, centres_);
        put(row, wanted);
      }
    }
  }

  // The nodes of a row as near to the wanted places as both of two greedy ways, from the left and
  // from the right, are on average. Each of them keeps the distances, so their mean does, too.
  void put(const std::vector<int>& row, const std::vector<double>& wanted) {
    std::vector<double> left(row.size()), right(row.size());
    for (std::size_t k = 0; k < row.size(); ++k) {
      left[k] = wanted[std::size_t(row[k])];
      if (k > 0) left[k] = std::max(left[k], left[k - 1] + distance(row[k - 1], row[k]));
    }
    for (std::size_t k = row.size(); k-- > 0;) {
      right[k] = wanted[std::size_t(row[k])];
      if (k + 1 < row.size())
        right[k] = std::min(right[k], right[k + 1] - distance(row[k], row[k + 1]));
    }
    for (std::size_t k = 0; k < row.size(); ++k)
      centres_[std::size_t(row[k])] = (left[k] + right[k]) / 2;
  }

  double distance(int a, int b) const {
    return (widths_[std::size_t(a)] + widths_[std::size_t(b)]) / 2.0 + node_gap;
  }

  int centre(int n) const { return int(centres_[std::size_t(n)]); }
  int top(int n) const { return layer_[std::size_t(n)] * (node_height + layer_gap); }

  int left_side() const {
    int left = centre(0);
    for (std::size_t n = 0; n < widths_.size(); ++n)
      left = std::min(left, centre(int(n)) - widths_[n] / 2);
    return left;
  }

  std::vector<PicturePoint> way(const std::vector<int>& chain, int left) const {
    std::vector<PicturePoint> points = {{centre(chain[0]) - left, top(chain[0]) + node_height}};
    for (std::size_t k = 1; k + 1 < chain.size(); ++k) {
      points.push_back({centre(chain[k]) - left, top(chain[k])});
      points.push_back({centre(chain[k]) - left, top(chain[k]) + node_height});
    }
    points.push_back({centre(chain.back()) - left, top(chain.back())});
    return points;
  }

  std::size_t count_;  // of nodes; bends come after them
  std::vector<int> widths_, layer_;
  std::vector<std::vector<int>> above_ = {}, below_ = {};  // the neighbours
  std::vector<std::vector<int>> chains_ = {};              // of each edge: nodes and bends
  std::vector<std::vector<int>> rows_ = {};                // of each layer, from the left
  std::vector<double> centres_ = {};
};

}  // namespace

LayeredGraph layered(const std::vector<int>& widths, const std::vector<LayeredEdge>& edges) {
  return Layering(widths, edges).drawn();
}

}  // namespace strata
