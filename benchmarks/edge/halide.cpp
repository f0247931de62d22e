// Strips of 32 rows in parallel, each with a sliding window of the ring blur.
#include "benchmarks/common/halide.h"
#include "benchmarks/edge/edge_case.h"

using edge_benchmark::Case;

namespace {

struct Algorithm {
  Halide::ImageParam in{Halide::UInt(8), 2, "in"};
  Halide::Func ring{"ring"};
  Halide::Func edges{"edges"};

  Halide::Var x{"x"}, y{"y"}, yo{"yo"}, yi{"yi"};

  Algorithm() {
    Halide::Expr around = Halide::cast<std::uint16_t>(0);
    for (const int row : {0, 1, 2})
      for (const int pixel : {0, 1, 2})
        if (row != 1 || pixel != 1)
          around += Halide::cast<std::uint16_t>(in(x + 3 * pixel, y + row));
    ring(x, y) = Halide::cast<std::uint8_t>(around / 8);
    const auto at = [&](int dx, int dy) {
      return Halide::cast<std::int16_t>(ring(x + dx, y + dy));
    };
    edges(x, y) = Halide::cast<std::uint8_t>(
        Halide::min(Halide::abs(at(0, 0) - at(-3, -1)) + Halide::abs(at(-3, 0) - at(0, -1)), 255));
  }
  void schedule() {
    edges.split(y, yo, yi, 32, Halide::TailStrategy::GuardWithIf).vectorize(x, 64).parallel(yo);
    ring.store_at(edges, yo).compute_at(edges, yi).vectorize(x, 64);
  }
};

// The part from row 1 and number 3 on.
Halide::Buffer<> inside(strata::Array<std::uint8_t>& edges) {
  Halide::Buffer<std::uint8_t> part = benchmarks::halide_buffer(edges);
  part.crop(0, 3, int(edges.extent(1)) - 3);
  part.crop(1, 1, int(edges.extent(0)) - 1);
  return part;
}

struct Variant : Algorithm {
  benchmarks::Pipeline pipeline;
  explicit Variant(Case& data)
      : pipeline({edges}, {inside(data.edges)}, {{in, benchmarks::halide_buffer(data.in)}},
                 [this] { schedule(); }) {}
  void run() { pipeline.run(); }
};

}  // namespace

int main(int argc, char** argv) { return benchmarks::process<Case, Variant>(argc, argv); }
