// Tiles of 6 rows by 16 numbers; the intermediate rows stay in registers.
#include "benchmarks/common/halide.h"
#include "benchmarks/blur/blur_case.h"

using blur_benchmark::Case;

namespace {

struct Algorithm {
  Halide::ImageParam in{Halide::Float(32), 2, "in"};
  Halide::Func bx{"bx"};
  Halide::Func by{"by"};

  Halide::Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};

  Algorithm() {
    bx(x, y) = (in(x, y) + in(x + 3, y) + in(x + 6, y)) / 3.0f;
    by(x, y) = (bx(x, y) + bx(x, y + 1) + bx(x, y + 2)) / 3.0f;
  }
  void schedule() {
    by.tile(x, y, xo, yo, xi, yi, 16, 6, Halide::TailStrategy::ShiftInwards);
    by.vectorize(xi).unroll(yi).parallel(yo);
    bx.compute_at(by, xo).vectorize(x, 16).unroll(y);
  }
};

struct Variant : Algorithm {
  benchmarks::Pipeline pipeline;
  explicit Variant(Case& data)
      : pipeline({by}, {benchmarks::halide_buffer(data.out)},
                 {{in, benchmarks::halide_buffer(data.in)}}, [this] { schedule(); }) {}
  void run() { pipeline.run(); }
};

}  // namespace

int main(int argc, char** argv) { return benchmarks::process<Case, Variant>(argc, argv); }
