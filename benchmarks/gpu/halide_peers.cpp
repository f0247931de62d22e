#include "benchmarks/gpu/halide_peers.h"

#include <utility>

namespace gpu_benchmark {

namespace {

using Halide::Buffer;
using Halide::DeviceAPI;
using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::Target;
using Halide::Var;

DeviceAPI device_of(const Target& target) {
  return target.has_feature(Target::CUDA) ? DeviceAPI::CUDA : DeviceAPI::OpenCL;
}

}  // namespace

HalidePeer::HalidePeer(Func result, std::vector<ImageParam> parameters,
                       std::vector<Buffer<float>> inputs, Buffer<float> output,
                       const Target& target)
    : pipeline_(result), target_(target), output_(std::move(output)) {
  for (std::size_t n = 0; n < parameters.size(); ++n) {
    inputs[n].set_host_dirty();
    inputs[n].copy_to_device(device_of(target), target);
    parameters[n].set(inputs[n]);
  }
  output_.device_malloc(device_of(target), target);
  pipeline_.compile_jit(target);
}

void HalidePeer::start() { pipeline_.realize(output_, target_); }
void HalidePeer::wait() { output_.device_sync(); }
const Buffer<float>& HalidePeer::result() {
  output_.copy_to_host();
  return output_;
}

// A block of 16 x 16 threads makes 128 x 64 elements, a thread 8 x 4 of them; what a thread needs of
// a and b for two steps in k goes to registers first.  (Halide's sums cannot stay in registers
// across the barriers of panels in shared memory.)
HalidePeer halide_product(Buffer<float> a, Buffer<float> b, const Target& target) {
  ImageParam pa(Halide::Float(32), 2, "a"), pb(Halide::Float(32), 2, "b");
  Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi"), xt("xt"), yt("yt");
  RDom k(0, pa.dim(0).extent(), "k");
  Func sums("sums"), c("c");
  sums(x, y) += pa(k, y) * pb(x, k);
  c(x, y) = sums(x, y);

  Halide::RVar ko("ko"), ki("ki");
  c.tile(x, y, xo, yo, xi, yi, 64, 128, Halide::TailStrategy::ShiftInwards);
  c.tile(xi, yi, xt, yt, xi, yi, 4, 8).gpu_blocks(xo, yo).gpu_threads(xt, yt);
  c.vectorize(xi).unroll(yi);
  sums.compute_at(c, xt).vectorize(x).unroll(y);
  sums.update().split(k.x, ko, ki, 2, Halide::TailStrategy::GuardWithIf);
  sums.update().reorder(x, y, ki, ko).vectorize(x).unroll(y).unroll(ki);
  pb.in().compute_at(sums, ki).vectorize(Halide::_0);
  pa.in().compute_at(sums, ki).unroll(Halide::_1);
  return HalidePeer(c, {pa, pb}, {a, b}, Buffer<float>(b.width(), a.height()), target);
}

HalidePeer halide_transpose(Buffer<float> in, const Target& target) {
  ImageParam p(Halide::Float(32), 2, "in");
  Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi"), part("part");
  Func tile("tile"), out("out");
  tile(x, y) = p(x, y);
  out(x, y) = tile(y, x);
  out.tile(x, y, xo, yo, xi, yi, 32, 32, Halide::TailStrategy::GuardWithIf);
  out.split(yi, yi, part, 4).gpu_blocks(xo, yo).gpu_threads(xi, yi).unroll(part);
  tile.compute_at(out, xo).split(y, y, part, 4).gpu_threads(x, y).unroll(part);
  return HalidePeer(out, {p}, {in}, Buffer<float>(in.height(), in.width()), target);
}

HalidePeer halide_blur(Buffer<float> in, const Target& target) {
  ImageParam p(Halide::Float(32), 3, "in");
  Var x("x"), y("y"), c("c"), xo("xo"), yo("yo"), xi("xi"), yi("yi"), part("part");
  Func rows("rows"), out("out");
  rows(x, y, c) = (p(x, y, c) + p(x + 1, y, c) + p(x + 2, y, c)) * (1.0f / 3);
  out(x, y, c) = (rows(x, y, c) + rows(x, y + 1, c) + rows(x, y + 2, c)) * (1.0f / 3);
  // Rows are recomputed in registers: a thread makes 8 pixels of a column.
  out.tile(x, y, xo, yo, xi, yi, 64, 32, Halide::TailStrategy::GuardWithIf);
  out.split(yi, yi, part, 8).gpu_blocks(xo, yo, c).gpu_threads(xi, yi).unroll(part);
  rows.compute_at(out, xi).unroll(y);
  return HalidePeer(out, {p}, {in}, Buffer<float>(in.width() - 2, in.height() - 2, in.channels()),
                    target);
}

HalidePeer halide_stencil_step(Buffer<float> before, const Target& target) {
  ImageParam p(Halide::Float(32), 2, "before");
  Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
  Func at = Halide::BoundaryConditions::repeat_edge(p), out("out");
  out(x, y) = 0.5f * at(x, y) +
              0.125f * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1));
  out.gpu_tile(x, y, xo, yo, xi, yi, 64, 4, Halide::TailStrategy::GuardWithIf);
  return HalidePeer(out, {p}, {before}, Buffer<float>(before.width(), before.height()), target);
}

// A thread makes 4 output channels of one pixel.
HalidePeer halide_convolution(Buffer<float> in, Buffer<float> weights, const Target& target) {
  ImageParam p(Halide::Float(32), 4, "in"), w(Halide::Float(32), 4, "w");
  Var x("x"), y("y"), o("o"), n("n"), xo("xo"), yo("yo"), xi("xi"), yi("yi"), oi("oi"), on("on");
  RDom r(0, 3, 0, 3, 0, p.dim(2).extent(), "r");
  Func sums("sums"), out("out");
  sums(x, y, o, n) += p(x + r.x, y + r.y, r.z, n) * w(r.x, r.y, r.z, o);
  out(x, y, o, n) = sums(x, y, o, n);
  out.split(o, o, oi, 4, Halide::TailStrategy::GuardWithIf).fuse(o, n, on);
  out.tile(x, y, xo, yo, xi, yi, 32, 4, Halide::TailStrategy::GuardWithIf);
  out.reorder(oi, xi, yi, xo, yo, on).unroll(oi);
  out.gpu_blocks(xo, yo, on).gpu_threads(xi, yi);
  sums.compute_at(out, xi).unroll(o);
  sums.update().reorder(o, r.x, r.y, r.z, x, y, n).unroll(o).unroll(r.x).unroll(r.y);
  return HalidePeer(out, {p, w}, {in, weights},
                    Buffer<float>(in.width() - 2, in.height() - 2, weights.dim(3).extent(),
                                  in.dim(3).extent()),
                    target);
}

}  // namespace gpu_benchmark
