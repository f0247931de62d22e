// Tiles of 5 pixels by 64 channels in registers, as in Halide's own example of such a layer.
#include "benchmarks/common/halide.h"
#include "benchmarks/conv/conv_case.h"

using conv_benchmark::Case;

namespace {

struct Algorithm {
  Halide::ImageParam in{Halide::Float(32), 4, "in"};
  Halide::ImageParam bias{Halide::Float(32), 1, "bias"};
  Halide::ImageParam weights{Halide::Float(32), 4, "weights"};
  Halide::Func sums{"sums"};
  Halide::Func out{"out"};

  Halide::Var c{"c"}, x{"x"}, y{"y"}, n{"n"}, co{"co"}, ci{"ci"}, xo{"xo"}, xi{"xi"};
  Halide::RDom r{0, in.dim(0).extent(), 0, 3, 0, 3, "r"};

  Algorithm() {
    sums(c, x, y, n) = bias(c);
    sums(c, x, y, n) += weights(c, r.x, r.y, r.z) * in(r.x, x + r.y, y + r.z, n);
    out(c, x, y, n) = Halide::max(0, sums(c, x, y, n));
  }
  void schedule() {
    const int lanes = 16, channels = 64, pixels = 5;
    const Halide::TailStrategy border = Halide::TailStrategy::GuardWithIf;
    out.split(c, co, ci, channels, border).split(x, xo, xi, pixels, border);
    out.reorder(ci, xi, xo, y, n, co).vectorize(ci, lanes).unroll(ci).unroll(xi);
    out.parallel(y).parallel(n).parallel(co);
    sums.compute_at(out, xo).bound_extent(c, channels).bound_extent(x, pixels);
    sums.vectorize(c, lanes).unroll(c).unroll(x);
    sums.update().reorder(c, x, y, r.x, r.y, r.z, n).vectorize(c, lanes).unroll(c).unroll(x);
  }
};

struct Variant : Algorithm {
  benchmarks::Pipeline pipeline;
  explicit Variant(Case& data)
      : pipeline({out}, {benchmarks::halide_buffer(data.out)},
                 {{in, benchmarks::halide_buffer(data.in)},
                  {bias, benchmarks::halide_buffer(data.bias)},
                  {weights, benchmarks::halide_buffer(data.weights)}},
                 [this] { schedule(); }) {}
  void run() { pipeline.run(); }
};

}  // namespace

int main(int argc, char** argv) { return benchmarks::process<Case, Variant>(argc, argv); }
