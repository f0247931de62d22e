// A 3 x 3 convolution layer with bias and ReLU, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace conv_benchmark {

// Channels are innermost. A tile of pixels and channels has as many sums as the machine has
// registers for, while all 9 CI contributions are added; the weights of the tile's channels are
// first copied to a contiguous panel.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f32);
  const auto [rows, columns] = m.product_tile(f32);
  Function f("conv");
  Param B = f.param("B"), H = f.param("H"), W = f.param("W"), CI = f.param("CI"),
        CO = f.param("CO");
  Var n("n", 0, B), y("y", 0, H), x("x", 0, W), co("co", 0, CO);
  Var ky("ky", 0, 3), kx("kx", 0, 3), ci("ci", 0, CI);
  Input in = f.input("in", f32, {B, H + 2, W + 2, CI}), bias = f.input("bias", f32, {CO});
  Input weights = f.input("weights", f32, {3, 3, CI, CO});
  Computation sums =
      f.computation("sums", {n, y, x, co},
                    sum({ky, kx, ci}, weights(ky, kx, ci, co) * in(n, y + ky, x + kx, ci)));
  Computation out = f.computation("out", {n, y, x, co}, max(sums(n, y, x, co) + bias(co), 0.0f));

  Var x0("x0"), c0("c0"), x1("x1"), c1("c1"), a("a"), b("b"), c("c"), d("d"), lane("lane");
  out.tile(x, co, rows, columns, x0, c0, x1, c1);
  out.interchange(x0, c0).interchange(y, c0).interchange(n, c0).parallelize(y);
  sums.compute_at(out, x0);
  sums.interchange(x, ky).interchange(co, kx).interchange(x, ci).interchange(co, x);
  Computation panel = sums.cache_at(c0, weights, "panel", {a, b, c, d});
  panel.vectorize(d, lanes, d, lane).mask(lane);
  sums.vectorize(co, lanes, co, lane).mask(lane);
  sums.unroll(co).guard(co).unroll(x).guard(x);
  out.vectorize(c1, lanes, c1, lane).separate(lane);
  out.unroll(c1).separate(c1).unroll(x1).separate(x1);
  return {f, {in.buffer(), bias.buffer(), weights.buffer(), out.buffer()}};
}

}  // namespace conv_benchmark
