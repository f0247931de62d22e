// Several recurrent layers of LSTM cells over time, and their schedule.
#pragma once

#include "examples/common/scheduled.h"
#include "examples/lstm/cell.h"

namespace lstm_layers_benchmark {

// The cells are those of examples/lstm; layer l reads the states h of layer l - 1, the first layer
// reads x. A layer runs in blocks of as many steps as a tile has: first the products with the
// block's inputs, in tiles, then, step by step, the products with the states. Block t0 of a layer
// needs the previous block and the same block of the layer below, so blocks with the same l + t0
// are independent and run in parallel.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f32), block = lstm_example::block_of_cells();
  const auto [steps, cells] = m.product_tile(f32);
  Function f("lstm_layers");
  Param L = f.param("L"), T = f.param("T"), H = f.param("H");
  Var l("l", 0, L), t("t", 0, T), g("g", 0, 4), j("j", 0, H), k("k", 0, H);
  Input x = f.input("x", f32, {T, H}), bias = f.input("bias", f32, {L, 4, H});
  Input w = f.input("w", f32, {L, 4, H, H}), u = f.input("u", f32, {L, 4, H, H});
  const auto s = lstm_example::sigmoid, tanh = lstm_example::hyperbolic_tangent;

  Computation blocks = f.computation("blocks", {l, g, k, j}, u(l, g, k, j));
  Computation start = f.computation("start", {l, j}, Expr(0.0f));
  Computation below = start, sums = start, inputs = start, state = start, c = start, h = start;
  f.loop(l, [&] {
    below = f.declare("below", {l, t, j}, f32);
    sums = f.computation("sums", {l, t, g, j}, sum(k, w(l, g, k, j) * below(l, t, k)));
    inputs = f.computation("inputs", {l, t, g, j}, sums(l, t, g, j));
    f.loop(t, [&] {
      state = f.declare("state", {l, t, g, j}, f32);
      const auto z = [&](int g) { return bias(l, g, j) + inputs(l, t, g, j) + state(l, t, g, j); };
      c = f.declare("c", {l, t, j}, f32);
      c.define(s(z(1)) * select(t > 0, c(l, t - 1, j), 0.0f) + s(z(0)) * tanh(z(2)));
      h = f.computation("h", {l, t, j}, s(z(3)) * tanh(c(l, t, j)));
      state.define(sum(k, blocks(l, g, k, j) * select(t > 0, h(l, t - 1, k), 0.0f)));
    });
    below.define(select(l > 0, h(l - 1, t, j), x(t, j)));
  });

  Var t0("t0"), t1("t1"), j0("j0"), j1("j1"), wave("wave");
  lstm_example::in_blocks_of_cells(state, c, h, j0);
  c.store_in({l, j});
  h.store_in({l, t + 1, j});
  start.store_in(h.buffer(), {l, Expr(0), j}).vectorize(j, lanes);
  inputs.split(t, steps, t0, t1).interchange(t1, g).split(j, cells, j0, j1).interchange(t1, j0);
  lstm_example::in_tiles_of_steps(sums, inputs, j0, k);
  state.split(t, steps, t0, t1);
  below.split(t, steps, t0, t1).vectorize(j, lanes).fuse(t0, inputs, t0).fuse(t0, state, t0);
  below.store_in({l, t % steps, j});
  inputs.store_in({l, t % steps, g, j});
  state.skew(l, t0, 1, 1, 1, 0, wave, l).parallelize(l);
  blocks.store_in({l, j / block, k, g, j % block});
  blocks.vectorize(j, lanes).parallelize(l);
  return {f, {x.buffer(), w.buffer(), u.buffer(), bias.buffer(), h.buffer()}};
}

}  // namespace lstm_layers_benchmark
