// A recurrent layer of LSTM cells over time, and its schedule.
#pragma once

#include "examples/common/scheduled.h"
#include "examples/lstm/cell.h"

namespace lstm_example {

// T steps of a layer of H cells with D inputs (Hochreiter and Schmidhuber 1997) with forget gates:
//     z(t, g, j) = bias(g, j) + sum_k W(g, k, j) x(t, k) + sum_k U(g, k, j) h(t, k)   gate g of 4
//     c(t, j)    = s(z(t, 1, j)) c(t - 1, j) + s(z(t, 0, j)) tanh(z(t, 2, j))
//     h(t + 1, j) = s(z(t, 3, j)) tanh(c(t, j)),   h(0, j) = 0,   s(y) = 1 / (1 + e^-y)
// The contributions of the inputs do not depend on the state: they are a matrix product over all
// steps, in tiles of steps and cells whose sums stay in registers, with the gates in parallel.
// The steps depend on each other through h and c; only the gates z and states c of the last two
// steps are kept. In a step, the sums of a block of cells stay in registers; they read U from a
// copy in blocks of as many columns.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f32), block = block_of_cells();
  const auto [rows, columns] = m.product_tile(f32);
  Function lstm("lstm");
  Param T = lstm.param("T"), H = lstm.param("H"), D = lstm.param("D");
  Var t("t", 0, T), g("g", 0, 4), j("j", 0, H), d("d", 0, D), k("k", 0, H), after("t", 0, T + 1);
  Input x = lstm.input("x", f32, {T, D}), w = lstm.input("w", f32, {4, D, H});
  Input u = lstm.input("u", f32, {4, H, H}), bias = lstm.input("bias", f32, {4, H});

  Computation sums = lstm.computation("sums", {t, g, j}, sum(d, w(g, d, j) * x(t, d)));
  Computation inputs = lstm.computation("inputs", {t, g, j}, sums(t, g, j));
  Computation blocks = lstm.computation("blocks", {g, k, j}, u(g, k, j));
  Computation h = inputs, state = inputs, z = inputs, c = inputs;
  lstm.loop(t, [&] {
    h = lstm.declare("h", {after, j}, f32);
    state = lstm.computation("state", {t, g, j}, sum(k, blocks(g, k, j) * h(t, k)));
    z = lstm.computation("z", {t, g, j}, bias(g, j) + inputs(t, g, j) + state(t, g, j));
    const auto s = sigmoid, tanh = hyperbolic_tangent;
    c = lstm.declare("c", {t, j}, f32);
    c.define(s(z(t, 1, j)) * select(t > 0, c(t - 1, j), 0.0f) +
             s(z(t, 0, j)) * tanh(z(t, 2, j)));
    h.define(select(t > 0, s(z(t - 1, 3, j)) * tanh(c(t - 1, j)), 0.0f));
  });

  Var t0("t0"), j0("j0"), t1("t1"), j1("j1");
  inputs.interchange(t, g).tile(t, j, rows, columns, t0, j0, t1, j1).interchange(t0, j0);
  inputs.parallelize(g);
  in_tiles_of_steps(sums, inputs, t0, d);

  blocks.store_in({g, j / block, k, j % block});
  blocks.vectorize(j, lanes).parallelize(g);
  state.store_in({g, j});
  z.store_in({t % 2, g, j});
  c.store_in({t % 2, j});
  state.parallelize(g);
  in_blocks_of_cells(state, j, k);
  z.vectorize(j, lanes);
  c.vectorize(j, lanes);
  h.vectorize(j, lanes);
  return {lstm, {x.buffer(), w.buffer(), u.buffer(), bias.buffer(), h.buffer()}};
}

}  // namespace lstm_example
