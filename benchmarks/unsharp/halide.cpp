// Tiles of 6 rows by 16 pixels; the intermediate rows stay in registers.
#include "benchmarks/common/halide.h"
#include "benchmarks/unsharp/unsharp_case.h"

using unsharp_benchmark::Case;

namespace {

struct Algorithm {
  Halide::ImageParam in{Halide::Float(32), 3, "in"};
  Halide::Func clamped{"clamped"}, bx{"bx"}, sharp{"sharp"};

  Halide::Var x{"x"}, y{"y"}, c{"c"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};

  Algorithm() {
    clamped = Halide::BoundaryConditions::repeat_edge(in);
    bx(x, y, c) = weighted([&](int tap) { return clamped(x + tap, y, c); });
    sharp(x, y, c) = 2.0f * in(x, y, c) - weighted([&](int tap) { return bx(x, y + tap, c); });
  }
  template <typename At>
  static Halide::Expr weighted(const At& at) {
    return (at(-2) + 4.0f * at(-1) + 6.0f * at(0) + 4.0f * at(1) + at(2)) * (1 / 16.0f);
  }
  void schedule() {
    sharp.tile(x, y, xo, yo, xi, yi, 16, 6, Halide::TailStrategy::ShiftInwards);
    sharp.vectorize(xi).unroll(yi).parallel(yo);
    bx.compute_at(sharp, xo).vectorize(x, 16).unroll(y);
  }
};

struct Variant : Algorithm {
  benchmarks::Pipeline pipeline;
  explicit Variant(Case& data)
      : pipeline({sharp}, {benchmarks::halide_buffer(data.out)},
                 {{in, benchmarks::halide_buffer(data.in)}}, [this] { schedule(); }) {}
  void run() { pipeline.run(); }
};

}  // namespace

int main(int argc, char** argv) { return benchmarks::process<Case, Variant>(argc, argv); }
