// Several recurrent layers of LSTM cells over time, and their schedule.
#pragma once

#include "examples/common/scheduled.h"
#include "examples/lstm/cell.h"

namespace lstm_layers_benchmark {

// The cells are those of examples/lstm; layer l + 1 reads the states h of layer l, the first layer
// reads x:
//     h(l, t + 1) = cell(h(l - 1, t + 1), h(l, t)),   at the beginning of step t + 1 of layer l
// A layer runs in blocks of 8 steps: first the products with the block's inputs, in tiles, then,
// step by step, the products with the states.  Block t0 of a layer needs the previous block and the
// next block of the layer below, so blocks with the same 2 l + t0 are independent and run in
// parallel.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f32), block = lstm_example::block_of_cells();
  const auto [steps, cells] = m.product_tile(f32);
  Function f("lstm_layers");
  Param L = f.param("L"), T = f.param("T"), H = f.param("H");
  Var l("l", 0, L), t("t", 0, T), g("g", 0, 4), j("j", 0, H), k("k", 0, H), after("t", 0, T + 1);
  Input x = f.input("x", f32, {T, H}), bias = f.input("bias", f32, {L, 4, H});
  Input w = f.input("w", f32, {L, 4, H, H}), u = f.input("u", f32, {L, 4, H, H});
  const auto s = lstm_example::sigmoid, tanh = lstm_example::hyperbolic_tangent;

  Computation blocks = f.computation("blocks", {l, g, k, j}, u(l, g, k, j));
  Computation h = blocks, below = h, sums = h, inputs = h, state = h, z = h, c = h;
  f.loop(l, [&] {
    below = f.declare("below", {l, t, j}, f32);
    sums = f.computation("sums", {l, t, g, j}, sum(k, w(l, g, k, j) * below(l, t, k)));
    inputs = f.computation("inputs", {l, t, g, j}, sums(l, t, g, j));
    f.loop(t, [&] {
      h = f.declare("h", {l, after, j}, f32);
      state = f.computation("state", {l, t, g, j}, sum(k, blocks(l, g, k, j) * h(l, t, k)));
      z = f.computation("z", {l, t, g, j}, bias(l, g, j) + inputs(l, t, g, j) + state(l, t, g, j));
      c = f.declare("c", {l, t, j}, f32);
      c.define(s(z(l, t, 1, j)) * select(t > 0, c(l, t - 1, j), 0.0f) +
               s(z(l, t, 0, j)) * tanh(z(l, t, 2, j)));
      h.define(select(t > 0, s(z(l, t - 1, 3, j)) * tanh(c(l, t - 1, j)), 0.0f));
    });
    below.define(select(l > 0, h(l - 1, t + 1, j), x(t, j)));
  });

  Var t0("t0"), t1("t1"), j0("j0"), j1("j1"), wave("wave");
  inputs.split(t, steps, t0, t1).interchange(t1, g).split(j, cells, j0, j1).interchange(t1, j0);
  lstm_example::in_tiles_of_steps(sums, inputs, j0, k);
  h.split(t, steps, t0, t1).guard(t1).vectorize(j, lanes);
  below.split(t, steps, t0, t1).vectorize(j, lanes).fuse(t0, inputs, t0).fuse(t0, h, t0);
  below.store_in({l, t % steps, j});
  inputs.store_in({l, t % steps, g, j});
  blocks.store_in({l, g, j / block, k, j % block});
  lstm_example::in_blocks_of_cells(state.store_in({l, g, j}), j, k);
  z.store_in({l, t % 2, g, j}).vectorize(j, lanes);
  c.store_in({l, t % 2, j}).vectorize(j, lanes);
  h.skew(l, t0, 2, 1, wave, l).parallelize(l);
  blocks.vectorize(j, lanes).parallelize(l);
  return {f, {x.buffer(), w.buffer(), u.buffer(), bias.buffer(), h.buffer()}};
}

}  // namespace lstm_layers_benchmark
