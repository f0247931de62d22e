// An edge detector: a ring blur, then Roberts' cross.
#pragma once

#include "benchmarks/common/image.h"
#include "edge.h"

extern "C" void plain_edge(std::int64_t n, std::int64_t w, const std::uint8_t* in,
                           std::uint8_t* ring, std::uint8_t* edges);

namespace edge_benchmark {

struct Case {
  static inline const benchmarks::Sizes sizes = benchmarks::image_sizes;
  static constexpr double tolerance = 1e-9;
  std::int64_t n, w;
  strata::Array<std::uint8_t> in, ring, edges;

  explicit Case(const std::vector<std::int64_t>& size)
      : n(size[0]),
        w(3 * size[1]),
        in(benchmarks::image<std::uint8_t>({n, w})),
        ring({n - 2, w - 6}),
        edges({n - 2, w - 6}) {}
  double operations() const { return 0; }
  void start() {}
  void plain() { plain_edge(n, w, in.data(), ring.data(), edges.data()); }
  void strata() { benchmarks::check(edge(n, w, in, edges)); }
  benchmarks::Results results() const { return {benchmarks::numbers(edges)}; }
};

}  // namespace edge_benchmark
