// gpu_halide_generator FOLDER TARGET: the pipelines that Strata's kernels are compared with, in
// Halide's own front end and scheduled by hand, as FOLDER/halide_NAME.o.
#include <Halide.h>

#include <cstdio>

namespace {

using namespace Halide;

std::string folder;
Target target;

// Rows begin at multiples of four elements.
void align(OutputImageParam parameter) {
  for (int d = 1; d < parameter.dimensions(); ++d)
    parameter.dim(d).set_stride(parameter.dim(d).stride() / 4 * 4);
  for (int d = 0; d < parameter.dimensions(); ++d) parameter.dim(d).set_min(0);
  parameter.set_host_alignment(16);
}

// The extent of a dimension is a multiple.
void round(OutputImageParam parameter, int dimension, int of) {
  parameter.dim(dimension).set_extent(parameter.dim(dimension).extent() / of * of);
}

void write(Func out, const std::vector<Argument>& arguments, const std::string& name) {
  out.compile_to_object(folder + "/halide_" + name + ".o", arguments, "halide_" + name, target);
}

Var x("x"), y("y"), z("z"), n("n"), xo("xo"), yo("yo"), xi("xi"), yi("yi"), xii("xii"), yii("yii"),
    _0("_0"), _1("_1");

// Operands come from the first-level cache; 4 x 8 sums in the registers of a thread.
void product(bool aligned) {
  ImageParam a(Float(32), 2, "a"), b(Float(32), 2, "b");
  RDom k(0, a.width());
  Func sums("sums"), c("c");
  sums(x, y) += a(k, y) * b(x, k);
  c(x, y) = sums(x, y);
  const TailStrategy tail = aligned ? TailStrategy::RoundUp : TailStrategy::GuardWithIf;
  c.tile(x, y, xi, yi, 64, 16, tail).tile(xi, yi, xii, yii, 4, 8).gpu_blocks(x, y);
  c.gpu_threads(xi, yi).unroll(yii);
  aligned ? c.vectorize(xii) : c.unroll(xii);
  sums.compute_at(c, xi).store_in(MemoryType::Register);
  sums.unroll(y).update().reorder(x, y, k).unroll(y);
  if (aligned) {
    sums.vectorize(x).update().vectorize(x).unroll(k, 8);
    for (ImageParam p : {a, b})
      p.in().compute_at(sums, k).store_in(MemoryType::Register).vectorize(_0).unroll(_1);
    for (OutputImageParam p : {OutputImageParam(a), OutputImageParam(b), c.output_buffer()})
      align(p), round(p, 0, 64), round(p, 1, 16);
  } else {
    sums.unroll(x).update().unroll(x).unroll(k, 4);
  }
  write(c, {a, b}, aligned ? "product" : "product_any");
}

void copy() {
  ImageParam in(Float(32), 1, "in");
  Func out("out");
  out(x) = in(x);
  align(in), round(in, 0, 4096);
  align(out.output_buffer()), round(out.output_buffer(), 0, 4096);
  out.split(x, xo, xi, 4096, TailStrategy::RoundUp).split(xi, yi, xi, 1024).split(xi, xi, xii, 4);
  out.reorder(xii, yi, xi, xo).gpu_blocks(xo).gpu_threads(xi).unroll(yi).vectorize(xii);
  write(out, {in}, "copy");
}

void transpose() {
  ImageParam in(Float(32), 2, "in");
  Func out("out");
  out(x, y) = in(y, x);
  for (OutputImageParam p : {OutputImageParam(in), out.output_buffer()})
    align(p), round(p, 0, 64), round(p, 1, 64);
  out.tile(x, y, xo, yo, xi, yi, 64, 64, TailStrategy::RoundUp).gpu_blocks(xo, yo);
  out.split(xi, xi, xii, 4).split(yi, yii, yi, 16).reorder(xii, yii, xi, yi);
  out.gpu_threads(xi, yi).vectorize(xii).unroll(yii);
  Func tile = in.in();
  tile.compute_at(out, xo).split(_0, _0, xii, 4).split(_1, yii, _1, 16).reorder(xii, yii, _0, _1);
  tile.gpu_threads(_0, _1).vectorize(xii).unroll(yii);
  write(out, {in}, "transpose");
}

// A thread makes 4 x 8 elements, and computes the rows of bx that they need in its registers.
void blur() {
  ImageParam in(Float(32), 2, "in");
  Func bx("bx"), by("by");
  bx(x, y) = (in(x, y) + in(x + 1, y) + in(x + 2, y)) * (1.0f / 3);
  by(x, y) = (bx(x, y) + bx(x, y + 1) + bx(x, y + 2)) * (1.0f / 3);
  align(in), align(by.output_buffer()), round(by.output_buffer(), 0, 4);
  by.split(x, x, xii, 4, TailStrategy::RoundUp).split(y, y, yii, 8, TailStrategy::GuardWithIf);
  by.reorder(xii, yii, x, y).vectorize(xii).unroll(yii);
  by.gpu_tile(x, y, xo, yo, xi, yi, 32, 4, TailStrategy::GuardWithIf);
  bx.compute_at(by, xi).store_in(MemoryType::Register);
  bx.vectorize(x).unroll(y);
  write(by, {in}, "blur");
}

// A neighbour outside of the grid is the point itself.
Expr step(const std::function<Expr(Expr, Expr)>& before, const ImageParam& in) {
  const auto at = [&](Expr column, Expr row) {
    return before(clamp(column, 0, in.width() - 1), clamp(row, 0, in.height() - 1));
  };
  return 0.5f * at(x, y) + 0.125f * (at(x, y - 1) + at(x, y + 1) + at(x - 1, y) + at(x + 1, y));
}

void stencil() {
  ImageParam in(Float(32), 2, "in");
  Func out("out");
  out(x, y) = step([&](const Expr& i, const Expr& j) { return in(i, j); }, in);
  for (OutputImageParam p : {OutputImageParam(in), out.output_buffer()}) align(p), round(p, 0, 4);
  out.split(x, x, xii, 4, TailStrategy::RoundUp).split(y, y, yii, 2, TailStrategy::GuardWithIf);
  out.reorder(xii, yii, x, y).vectorize(xii).unroll(yii);
  out.gpu_tile(x, y, xo, yo, xi, yi, 16, 16, TailStrategy::GuardWithIf);
  write(out, {in}, "stencil");
}

// The steps between are in shared memory.
void four_steps() {
  ImageParam in(Float(32), 2, "in");
  std::vector<Func> steps;
  for (const char* name : {"first", "second", "third", "out"}) {
    Func next(name);
    next(x, y) = step(
        [&](const Expr& i, const Expr& j) { return steps.empty() ? in(i, j) : steps.back()(i, j); },
        in);
    steps.push_back(next);
  }
  Func out = steps.back();
  out.tile(x, y, xo, yo, xi, yi, 64, 32, TailStrategy::GuardWithIf).gpu_blocks(xo, yo);
  out.split(yi, yi, yii, 4).reorder(yii, xi, yi).gpu_threads(xi, yi).unroll(yii);
  for (int s = 0; s < 3; ++s) {
    Func one = steps[std::size_t(s)];
    one.compute_at(out, xo).bound_extent(x, 70 - 2 * s).bound_extent(y, 38 - 2 * s);
    one.split(y, y, yii, 4).reorder(yii, x, y).gpu_threads(x, y).unroll(yii);
  }
  write(out, {in}, "four_steps");
}

// 4 pixels of 16 channels in the registers of a thread.
void convolution() {
  ImageParam in(Float(32), 4, "in"), w(Float(32), 4, "w");
  Func sums("sums"), out("out");
  RDom r(0, 3, 0, 3, 0, in.dim(2).extent());
  sums(x, y, z, n) += in(x + r.x, y + r.y, r.z, n) * w(r.x, r.y, r.z, z);
  out(x, y, z, n) = sums(x, y, z, n);
  OutputImageParam result = out.output_buffer();
  align(result), round(result, 0, 16), round(result, 1, 4), round(result, 2, 16);
  Var zo("zo"), zi("zi"), f("f");
  out.tile(x, y, xo, yo, xi, yi, 16, 4, TailStrategy::RoundUp).split(xi, xi, xii, 4);
  out.split(z, zo, zi, 16, TailStrategy::RoundUp).fuse(zo, n, f).fuse(yo, f, f);
  out.reorder(xii, zi, xi, yi, xo, f).gpu_blocks(xo, f).gpu_threads(xi, yi);
  out.vectorize(xii).unroll(zi);
  sums.compute_at(out, xi).unroll(x).unroll(z);
  sums.update().reorder(x, z, r.x, r.y, r.z).unroll(x).unroll(z).unroll(r.x);
  write(out, {in, w}, "convolution");
}

// Atomic additions in global memory: there are none in shared memory.
void histogram() {
  ImageParam in(UInt(8), 2, "in");
  RDom r(in);
  Func out("out");
  out(x) = 0;
  out(cast<int>(in(r.x, r.y))) += 1;
  out.bound(x, 0, 256).gpu_tile(x, xo, xi, 256);
  RVar ro, ri;
  out.update().atomic().split(r.x, ro, ri, 256, TailStrategy::GuardWithIf).gpu_blocks(ro, r.y);
  out.update().gpu_threads(ri);
  write(out, {in}, "histogram");
}

// A block makes one product, a thread 4 x 4 of its elements.
void batched() {
  ImageParam a(Float(32), 3, "a"), b(Float(32), 3, "b");
  RDom k(0, 32);
  Func sums("sums"), c("c");
  sums(x, y, n) += a(k, y, n) * b(x, k, n);
  c(x, y, n) = sums(x, y, n);
  for (OutputImageParam p : {OutputImageParam(a), OutputImageParam(b), c.output_buffer()})
    align(p), p.dim(0).set_extent(32), p.dim(1).set_extent(32);
  c.tile(x, y, xi, yi, 4, 4).gpu_blocks(n).gpu_threads(x, y).vectorize(xi).unroll(yi);
  sums.compute_at(c, x).vectorize(x).unroll(y);
  sums.update().reorder(x, y, k).vectorize(x).unroll(y).unroll(k, 8);
  for (ImageParam p : {a, b}) {
    Func tile = p.in();
    tile.compute_at(c, n).split(_0, _0, xi, 4).split(_1, yi, _1, 8).reorder(xi, yi, _0, _1);
    tile.gpu_threads(_0, _1).vectorize(xi).unroll(yi);
  }
  write(c, {a, b}, "batched");
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s FOLDER TARGET\n", argv[0]);
    return 2;
  }
  folder = argv[1];
  target = Target(argv[2]).with_feature(Target::NoRuntime).with_feature(Target::NoAsserts);
  product(true);
  product(false);
  copy();
  transpose();
  blur();
  stencil();
  four_steps();
  convolution();
  histogram();
  batched();
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
