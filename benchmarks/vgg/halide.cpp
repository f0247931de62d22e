// Strips of 4 pooled rows in parallel; each computes the rows of both layers that it needs, in
// tiles of 5 pixels by 64 channels in registers.
#include "benchmarks/common/halide.h"
#include "benchmarks/vgg/vgg_case.h"

using vgg_benchmark::Case;

namespace {

struct Algorithm {
  Halide::ImageParam in{Halide::Float(32), 3, "in"};
  Halide::ImageParam w1{Halide::Float(32), 4, "w1"}, w2{Halide::Float(32), 4, "w2"};
  Halide::ImageParam b1{Halide::Float(32), 1, "b1"}, b2{Halide::Float(32), 1, "b2"};
  Halide::Func sums1{"sums1"}, layer1{"layer1"}, sums2{"sums2"}, layer2{"layer2"}, pool{"pool"};
  Halide::Var c{"c"}, x{"x"}, y{"y"}, strip{"strip"}, row{"row"}, co{"co"}, xo{"xo"};
  Halide::RDom r{0, in.dim(0).extent(), 0, 3, 0, 3, "r"}, s{0, b2.dim(0).extent(), 0, 3, 0, 3, "s"};

  Algorithm() {
    sums1(c, x, y) = b1(c);
    sums1(c, x, y) += w1(c, r.x, r.y, r.z) * in(r.x, x + r.y, y + r.z);
    layer1(c, x, y) = Halide::max(0, sums1(c, x, y));
    sums2(c, x, y) = b2(c);
    sums2(c, x, y) += w2(c, s.x, s.y, s.z) * layer1(s.x, x + s.y, y + s.z);
    layer2(c, x, y) = Halide::max(0, sums2(c, x, y));
    const auto largest = [&](const Halide::Expr& line) {
      return Halide::max(layer2(c, 2 * x, line), layer2(c, 2 * x + 1, line));
    };
    pool(c, x, y) = Halide::max(largest(2 * y), largest(2 * y + 1));
  }
  void schedule() {
    pool.split(y, strip, row, 4, Halide::TailStrategy::GuardWithIf).parallel(strip);
    pool.vectorize(c, 16);
    layer1.compute_at(pool, strip);
    layer2.compute_at(pool, row);
    in_tiles(layer1, sums1, r);
    in_tiles(layer2, sums2, s);
  }
  void in_tiles(Halide::Func& layer, Halide::Func& sums, const Halide::RDom& over) {
    const int lanes = 16, channels = 64, pixels = 5;
    const Halide::TailStrategy border = Halide::TailStrategy::GuardWithIf;
    Halide::Var ci("ci"), xi("xi");
    layer.split(c, co, ci, channels, border).split(x, xo, xi, pixels, border);
    layer.reorder(ci, xi, xo, y, co).vectorize(ci, lanes).unroll(ci).unroll(xi);
    sums.compute_at(layer, xo).bound_extent(c, channels).bound_extent(x, pixels);
    sums.vectorize(c, lanes).unroll(c).unroll(x);
    sums.update().reorder(c, x, y, over.x, over.y, over.z);
    sums.update().vectorize(c, lanes).unroll(c).unroll(x);
  }
};

struct Variant : Algorithm {
  benchmarks::Pipeline pipeline;
  explicit Variant(Case& data)
      : pipeline({pool}, {benchmarks::halide_buffer(data.pool)},
                 {{in, benchmarks::halide_buffer(data.in)},
                  {w1, benchmarks::halide_buffer(data.w1)},
                  {b1, benchmarks::halide_buffer(data.b1)},
                  {w2, benchmarks::halide_buffer(data.w2)},
                  {b2, benchmarks::halide_buffer(data.b2)}},
                 [this] { schedule(); }) {}
  void run() { pipeline.run(); }
};

}  // namespace

int main(int argc, char** argv) { return benchmarks::process<Case, Variant>(argc, argv); }
