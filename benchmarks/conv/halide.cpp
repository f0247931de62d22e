// Tiles of 5 pixels by 64 channels in registers, as in Halide's own example of such a layer.
#include "benchmarks/common/halide.h"
#include "benchmarks/conv/conv_case.h"

using conv_benchmark::Case;

namespace {

Halide::Callable compiled() {
  using namespace Halide;
  ImageParam in(Float(32), 4, "in"), bias(Float(32), 1, "bias"), weights(Float(32), 4, "weights");
  Var c("c"), x("x"), y("y"), n("n"), co("co"), ci("ci"), xo("xo"), xi("xi");
  RDom r(0, in.dim(0).extent(), 0, 3, 0, 3, "r");
  Func sums("sums"), out("out");
  sums(c, x, y, n) = bias(c);
  sums(c, x, y, n) += weights(c, r.x, r.y, r.z) * in(r.x, x + r.y, y + r.z, n);
  out(c, x, y, n) = max(0, sums(c, x, y, n));

  const int lanes = 16, vectors = 4, pixels = 5;
  out.split(c, co, ci, lanes * vectors, TailStrategy::GuardWithIf)
      .split(x, xo, xi, pixels, TailStrategy::GuardWithIf)
      .reorder(ci, xi, xo, y, n, co)
      .vectorize(ci, lanes)
      .unroll(ci)
      .unroll(xi)
      .parallel(y)
      .parallel(n)
      .parallel(co);
  sums.compute_at(out, xo).bound_extent(c, lanes * vectors).bound_extent(x, pixels);
  sums.vectorize(c, lanes).unroll(c).unroll(x);
  sums.update().reorder(c, x, y, r.x, r.y, r.z, n).vectorize(c, lanes).unroll(c).unroll(x);
  sums.update().unroll(y);
  for (const int d : {0, 1, 2, 3}) in.dim(d).set_min(0);
  weights.dim(0).set_min(0);
  return out.compile_to_callable({in, bias, weights},
                                 get_jit_target_from_environment().with_feature(Target::NoAsserts));
}

struct Variant {
  Halide::Buffer<float> in, bias, weights, out;
  Halide::Callable layer = compiled();
  explicit Variant(Case& data)
      : in(benchmarks::halide_buffer(data.in)),
        bias(benchmarks::halide_buffer(data.bias)),
        weights(benchmarks::halide_buffer(data.weights)),
        out(benchmarks::halide_buffer(data.out)) {}
  void run() { layer(in, bias, weights, out); }
};

}  // namespace

int main(int argc, char** argv) { return benchmarks::process<Case, Variant>(argc, argv); }
