// Tiles of 8 x 48 sums in registers; the panel of b that a column of tiles reads is copied first.
#include "benchmarks/common/halide.h"
#include "benchmarks/sgemm/sgemm_case.h"

using sgemm_benchmark::Case;

namespace {

Halide::Callable compiled() {
  using namespace Halide;
  ImageParam a(Float(32), 2, "a"), b(Float(32), 2, "b");
  Var i("i"), j("j"), x("x"), io("io"), jo("jo"), ii("ii"), ji("ji"), jv("jv");
  RDom k(0, a.dim(0).extent(), "k");
  Func panel("panel"), sums("sums"), c("c");
  panel(j, x) = b(j, x);
  sums(j, i) = 0.0f;
  sums(j, i) += a(k, i) * panel(j, k);
  c(j, i) = sums(j, i);

  const int rows = 8, columns = 48, lanes = 16;
  c.tile(j, i, jo, io, ji, ii, columns, rows, TailStrategy::ShiftInwards).reorder(ji, ii, io, jo);
  c.vectorize(ji, lanes).unroll(ji).unroll(ii).parallel(jo);
  panel.compute_at(c, jo).vectorize(j, lanes);
  sums.compute_at(c, io).bound_extent(j, columns).bound_extent(i, rows);
  sums.vectorize(j, lanes).unroll(j).unroll(i);
  sums.update().reorder(j, i, k).vectorize(j, lanes).unroll(j).unroll(i);
  return c.compile_to_callable({a, b}, get_jit_target_from_environment().with_feature(
                                           Target::NoAsserts));
}

struct Variant {
  Halide::Buffer<float> a, b, c;
  Halide::Callable product = compiled();
  explicit Variant(Case& data)
      : a(benchmarks::halide_buffer(data.a)),
        b(benchmarks::halide_buffer(data.b)),
        c(benchmarks::halide_buffer(data.c)) {}
  void run() { product(a, b, c); }
};

}  // namespace

int main(int argc, char** argv) { return benchmarks::process<Case, Variant>(argc, argv); }
