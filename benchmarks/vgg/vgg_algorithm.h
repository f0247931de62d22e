// A block of a VGG network (two 3 x 3 convolution layers with ReLU, then a pooling layer) and its
// schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace vgg_benchmark {

// Channels are innermost. A strip of 4 pooled rows computes the 10 rows of the first layer that it
// needs, and two rows of the second layer per pooled row; neither layer is stored as a whole. In
// both layers the sums of a tile of pixels and channels stay in registers.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f32);
  const auto [rows, columns] = m.product_tile(f32);
  Function f("vgg");
  Param P = f.param("P"), Q = f.param("Q"), CI = f.param("CI"), C = f.param("C");
  Var ky("ky", 0, 3), kx("kx", 0, 3), k("k", 0, C), ci("ci", 0, CI), c("c", 0, C);
  Var p("p", 0, P), q("q", 0, Q), y("y", 0, 2 * P), x("x", 0, 2 * Q);
  Var u("y", 0, 2 * P + 2), v("x", 0, 2 * Q + 2);
  Input in = f.input("in", f32, {2 * P + 4, 2 * Q + 4, CI});
  Input w1 = f.input("w1", f32, {3, 3, CI, C}), w2 = f.input("w2", f32, {3, 3, C, C});
  Input b1 = f.input("b1", f32, {C}), b2 = f.input("b2", f32, {C});
  Computation sums1 = f.computation("sums1", {u, v, c},
                                    sum({ky, kx, ci}, w1(ky, kx, ci, c) * in(u + ky, v + kx, ci)));
  Computation layer1 = f.computation("layer1", {u, v, c}, max(sums1(u, v, c) + b1(c), 0.0f));
  Computation sums2 = f.computation("sums2", {y, x, c},
                                    sum({ky, kx, k}, w2(ky, kx, k, c) * layer1(y + ky, x + kx, k)));
  Computation layer2 = f.computation("layer2", {y, x, c}, max(sums2(y, x, c) + b2(c), 0.0f));
  const auto largest = [&](const Expr& row) {
    return max(layer2(row, 2 * q, c), layer2(row, 2 * q + 1, c));
  };
  Computation pool = f.computation("pool", {p, q, c}, max(largest(2 * p), largest(2 * p + 1)));

  Var strip("strip"), x0("x0"), c0("c0"), x1("x1"), c1("c1"), lane("lane");
  pool.split(p, 4, strip, p).guard(p).parallelize(strip).vectorize(c, lanes);
  const auto in_tiles = [&, rows = rows, columns = columns](Computation& layer, Computation& sums,
                                                            const Var& from) {
    layer.tile(x, c, rows, columns, x0, c0, x1, c1).interchange(x0, c0).interchange(y, c0);
    sums.compute_at(layer, x0);
    sums.interchange(x, ky).interchange(c, kx).interchange(x, from).interchange(c, x);
    sums.vectorize(c, lanes, c, lane).mask(lane).unroll(c).guard(c).unroll(x).guard(x);
    layer.vectorize(c1, lanes, c1, lane).separate(lane);
    layer.unroll(c1).separate(c1).unroll(x1).separate(x1);
  };
  layer2.compute_at(pool, p);
  in_tiles(layer2, sums2, k);
  layer1.compute_at(pool, strip).guard(y);
  in_tiles(layer1, sums1, ci);
  return {f, {in.buffer(), w1.buffer(), b1.buffer(), w2.buffer(), b2.buffer(), pool.buffer()}};
}

}  // namespace vgg_benchmark
