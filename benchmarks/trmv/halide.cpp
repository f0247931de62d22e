// Of each row 64 partial sums in registers; the domain is a square with a condition, as Halide has
// it.
#include "benchmarks/common/halide.h"
#include "benchmarks/trmv/trmv_case.h"

using trmv_benchmark::Case;

namespace {

struct Algorithm {
  Halide::ImageParam a{Halide::Float(32), 2, "a"};
  Halide::ImageParam v{Halide::Float(32), 1, "v"};
  Halide::Func sums{"sums"};
  Halide::Func r{"r"};

  Halide::Var y{"y"}, u{"u"}, yo{"yo"}, yi{"yi"};
  Halide::RVar ko{"ko"}, ki{"ki"};
  Halide::RDom k{0, a.dim(0).extent(), "k"};

  Algorithm() {
    k.where(k <= y);
    sums(y) += a(k, y) * v(k);
    r(y) = sums(y);
  }
  void schedule() {
    r.split(y, yo, yi, 16, Halide::TailStrategy::GuardWithIf).parallel(yo);
    sums.compute_at(r, yi);
    sums.update().split(k, ko, ki, 64, Halide::TailStrategy::GuardWithIf);
    Halide::Func part = sums.update().rfactor(ki, u);
    part.compute_at(sums, y).vectorize(u, 16).unroll(u);
    part.update().reorder(u, ko).vectorize(u, 16).unroll(u);
  }
};

struct Variant : Algorithm {
  benchmarks::Pipeline pipeline;
  explicit Variant(Case& data)
      : pipeline({r}, {benchmarks::halide_buffer(data.y)},
                 {{a, benchmarks::halide_buffer(data.a)}, {v, benchmarks::halide_buffer(data.x)}},
                 [this] { schedule(); }) {}
  void run() { pipeline.run(); }
};

}  // namespace

int main(int argc, char** argv) { return benchmarks::process<Case, Variant>(argc, argv); }
