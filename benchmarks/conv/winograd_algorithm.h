// The convolution layer of conv_algorithm.h by Winograd's method, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace winograd_benchmark {

// F(2 x 2, 3 x 3) of Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks" (CVPR
// 2016, section 4.1): the four pixels of a tile take 16 products per pair of channels instead of
// 36,
//     Y = A^T ((G g G^T) . (B^T d B)) A,   summed over the input's channels before A.
// There are 2 P rows of 2 Q pixels.
//
// For each row of tiles, each of the 16 products is a matrix product: Q x CI transformed pixels
// times CI x CO transformed weights, in tiles of 10 x 32 sums in registers. All 16 products of a
// row stay in the second-level cache. The loops of the transforms are unrolled, so each select is
// decided at compile time.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const Machine target = machine();
  const int lanes = target.lanes(f32);
  const auto [rows, columns] = target.product_tile(f32, 2);
  Function f("winograd");
  Param B = f.param("B"), P = f.param("P"), Q = f.param("Q"), CI = f.param("CI"),
        CO = f.param("CO");
  f.assume(CI > 0);
  Var n("n", 0, B), p("p", 0, P), q("q", 0, Q), r("r", 0, 4), s("s", 0, 4), a("a", 0, 2),
      b("b", 0, 2), x("x", 0, 2 * Q + 2), kx("kx", 0, 3), ci("ci", 0, CI), co("co", 0, CO);
  Input in = f.input("in", f32, {B, 2 * P + 2, 2 * Q + 2, CI}), bias = f.input("bias", f32, {CO});
  Input weights = f.input("weights", f32, {3, 3, CI, CO});
  // Row "row" of B^T d, G g and A^T m.
  const auto of_pixels = [](const Var& row, const auto& d) {
    return select(row == 0, d(0) - d(2),
                  select(row == 1, d(1) + d(2), select(row == 2, d(2) - d(1), d(1) - d(3))));
  };
  const auto of_weights = [](const Var& row, const auto& g) {
    const Expr ends = g(0) + g(2);
    return select(
        row == 0, g(0),
        select(row == 1, 0.5f * (ends + g(1)), select(row == 2, 0.5f * (ends - g(1)), g(2))));
  };
  const auto of_products = [](const Var& row, const auto& m) {
    return select(row == 0, m(0) + m(1) + m(2), m(1) - m(2) - m(3));
  };
  Computation gg = f.computation("gg", {r, kx, ci, co},
                                 of_weights(r, [&](int ky) { return weights(ky, kx, ci, co); }));
  Computation u =
      f.computation("u", {r, s, ci, co}, of_weights(s, [&](int k) { return gg(r, k, ci, co); }));
  Computation bd = f.computation("bd", {n, p, r, x, ci},
                                 of_pixels(r, [&](int y) { return in(n, 2 * p + y, x, ci); }));
  Computation v = f.computation("v", {n, p, r, s, q, ci},
                                of_pixels(s, [&](int k) { return bd(n, p, r, 2 * q + k, ci); }));
  Computation sums =
      f.computation("sums", {n, p, r, s, q, co}, sum(ci, u(r, s, ci, co) * v(n, p, r, s, q, ci)));
  Computation m = f.computation("m", {n, p, r, s, q, co}, sums(n, p, r, s, q, co));
  Computation am = f.computation("am", {n, p, a, s, q, co},
                                 of_products(a, [&](int k) { return m(n, p, k, s, q, co); }));
  Expr pixel = of_products(b, [&](int k) { return am(n, p, a, k, q, co); });
  Computation out = f.computation("out", {n, p, a, q, b, co}, max(pixel + bias(co), 0.0f));

  Var q0("q0"), c0("c0"), q1("q1"), c1("c1"), lane("lane");
  out.store_in({n, 2 * p + a, 2 * q + b, co}).parallelize(p).interchange(a, q);
  out.vectorize(co, lanes, c0, lane).interchange(b, c0).interchange(a, c0).unroll(a).unroll(b);
  am.compute_at(out, c0).vectorize(co, lanes).unroll(a).unroll(s);
  m.compute_at(out, p).tile(q, co, rows, columns, q0, c0, q1, c1).interchange(q0, c0);
  m.vectorize(c1, lanes, c1, lane).separate(lane).unroll(c1).separate(c1).unroll(q1).separate(q1);
  sums.compute_at(m, q0).interchange(co, ci).interchange(q, ci);
  sums.vectorize(co, lanes, co, lane).mask(lane).unroll(co).guard(co).unroll(q).guard(q);
  v.compute_at(out, p).interchange(s, q).interchange(r, q).vectorize(ci, lanes, c0, lane);
  v.interchange(s, c0).interchange(r, c0).unroll(r).unroll(s);
  bd.compute_at(v, c0).vectorize(ci, lanes).unroll(r).unroll(x);
  u.store_in({r, s, co / columns, ci, co % columns}).parallelize(r);
  u.vectorize(co, lanes).unroll(s);
  gg.compute_at(u, ci).vectorize(co, lanes).unroll(kx);
  return {f, {in.buffer(), bias.buffer(), weights.buffer(), out.buffer()}};
}

}  // namespace winograd_benchmark
