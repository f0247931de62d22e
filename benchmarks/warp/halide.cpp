// Rows in parallel, vectors of 32 pixels.
#include "benchmarks/common/halide.h"
#include "benchmarks/warp/warp_case.h"

using warp_benchmark::Case;

namespace {

struct Algorithm {
  Halide::ImageParam in{Halide::Float(32), 2, "in"};
  Halide::ImageParam map{Halide::Float(32), 2, "map"};
  Halide::Func out{"out"};

  Halide::Var x{"x"}, y{"y"};

  Algorithm() {
    using namespace Halide;
    const auto at = [&](int axis) {
      return map(0, axis) * cast<float>(y) + map(1, axis) * cast<float>(x) + map(2, axis);
    };
    const Expr row = at(0), column = at(1), top = floor(row), left = floor(column);
    const Expr dy = row - top, dx = column - left;
    const auto pixel = [&](int below, int right) {
      return in(clamp(cast<int>(left) + right, 0, in.dim(0).extent() - 1),
                clamp(cast<int>(top) + below, 0, in.dim(1).extent() - 1));
    };
    const auto mixed = [&](int below) {
      return pixel(below, 0) * (1.0f - dx) + pixel(below, 1) * dx;
    };
    out(x, y) = mixed(0) * (1.0f - dy) + mixed(1) * dy;
  }
  void schedule() { out.vectorize(x, 32).parallel(y); }
};

struct Variant : Algorithm {
  benchmarks::Pipeline pipeline;
  explicit Variant(Case& data)
      : pipeline(
            {out}, {benchmarks::halide_buffer(data.out)},
            {{in, benchmarks::halide_buffer(data.in)}, {map, benchmarks::halide_buffer(data.map)}},
            [this] { schedule(); }) {}
  void run() { pipeline.run(); }
};

}  // namespace

int main(int argc, char** argv) { return benchmarks::process<Case, Variant>(argc, argv); }
