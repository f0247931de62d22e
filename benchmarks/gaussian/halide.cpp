// Tiles of 6 rows by 16 numbers; the intermediate rows stay in registers.
#include "benchmarks/common/halide.h"
#include "benchmarks/gaussian/gaussian_case.h"

using gaussian_benchmark::Case;

namespace {

struct Algorithm {
  Halide::ImageParam in{Halide::Float(32), 2, "in"};
  Halide::Func gx{"gx"};
  Halide::Func gy{"gy"};

  Halide::Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};

  Algorithm() {
    gx(x, y) = weighted([&](int tap) { return in(x + 3 * tap, y); });
    gy(x, y) = weighted([&](int tap) { return gx(x, y + tap); });
  }
  template <typename At>
  static Halide::Expr weighted(const At& at) {
    return (at(0) + 4.0f * at(1) + 6.0f * at(2) + 4.0f * at(3) + at(4)) * (1 / 16.0f);
  }
  void schedule() {
    gy.tile(x, y, xo, yo, xi, yi, 16, 6, Halide::TailStrategy::ShiftInwards);
    gy.vectorize(xi).unroll(yi).parallel(yo);
    gx.compute_at(gy, xo).vectorize(x, 16).unroll(y);
  }
};

struct Variant : Algorithm {
  benchmarks::Pipeline pipeline;
  explicit Variant(Case& data)
      : pipeline({gy}, {benchmarks::halide_buffer(data.out)},
                 {{in, benchmarks::halide_buffer(data.in)}}, [this] { schedule(); }) {}
  void run() { pipeline.run(); }
};

}  // namespace

int main(int argc, char** argv) { return benchmarks::process<Case, Variant>(argc, argv); }
