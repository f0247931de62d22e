// Tiles of 8 x 48 sums in registers; the panel of b read by a column of tiles is copied first.
#include "benchmarks/common/halide.h"
#include "benchmarks/sgemm/sgemm_case.h"

using sgemm_benchmark::Case;

namespace {

struct Variant {
  Halide::ImageParam a{Halide::Float(32), 2, "a"}, b{Halide::Float(32), 2, "b"};
  Halide::Var i{"i"}, j{"j"}, x{"x"}, io{"io"}, jo{"jo"}, ii{"ii"}, ji{"ji"};
  Halide::RDom k{0, a.dim(0).extent(), "k"};
  Halide::Func panel{"panel"}, sums{"sums"}, c{"c"};
  benchmarks::Pipeline pipeline;

  explicit Variant(Case& data)
      : pipeline({algorithm()}, {benchmarks::halide_buffer(data.c)},
                 {{a, benchmarks::halide_buffer(data.a)}, {b, benchmarks::halide_buffer(data.b)}},
                 [this] { schedule(); }) {}
  void run() { pipeline.run(); }

 private:
  Halide::Func algorithm() {
    panel(j, x) = b(j, x);
    sums(j, i) += a(k, i) * panel(j, k);
    c(j, i) = sums(j, i);
    return c;
  }
  void schedule() {
    const int rows = 8, columns = 48, lanes = 16;
    c.tile(j, i, jo, io, ji, ii, columns, rows, Halide::TailStrategy::ShiftInwards);
    c.reorder(ji, ii, io, jo).vectorize(ji, lanes).unroll(ji).unroll(ii).parallel(jo);
    panel.compute_at(c, jo).vectorize(j, lanes);
    sums.compute_at(c, io).bound_extent(j, columns).bound_extent(i, rows);
    sums.vectorize(j, lanes).unroll(j).unroll(i);
    sums.update().reorder(j, i, k).vectorize(j, lanes).unroll(j).unroll(i);
  }
};

}  // namespace

int main(int argc, char** argv) { return benchmarks::process<Case, Variant>(argc, argv); }
