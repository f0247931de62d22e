// A recurrent layer of LSTM cells over time, and its schedule.
#pragma once

#include "examples/common/scheduled.h"
#include "examples/lstm/cell.h"

namespace lstm_example {

// T steps of a layer of H cells with D inputs (Hochreiter and Schmidhuber 1997) with forget gates;
// z has the inputs of gates g = 0 .. 3:
//     z(t, g, j) = bias(g, j) + sum_k W(g, k, j) x(t, k) + sum_k U(g, k, j) h(t - 1, k)
//     c(t, j) = s(z(t, 1, j)) c(t - 1, j) + s(z(t, 0, j)) tanh(z(t, 2, j))
//     h(t, j) = s(z(t, 3, j)) tanh(c(t, j)),   h(-1, j) = 0,   s(y) = 1 / (1 + e^-y)
// The result has h(-1) in its first row. The contributions of the inputs do not depend on the
// state: they are a matrix product over all steps, in tiles of steps and cells whose sums stay in
// registers, with the gates in parallel. The steps depend on each other through h and c. In a step,
// blocks of cells run in parallel; they read U from a copy in blocks of as many columns.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f32), block = block_of_cells();
  const auto [rows, columns] = m.product_tile(f32);
  Function lstm("lstm");
  Param T = lstm.param("T"), H = lstm.param("H"), D = lstm.param("D");
  Var t("t", 0, T), g("g", 0, 4), j("j", 0, H), d("d", 0, D), k("k", 0, H);
  Input x = lstm.input("x", f32, {T, D}), w = lstm.input("w", f32, {4, D, H});
  Input u = lstm.input("u", f32, {4, H, H}), bias = lstm.input("bias", f32, {4, H});

  Computation sums = lstm.computation("sums", {t, g, j}, sum(d, w(g, d, j) * x(t, d)));
  Computation inputs = lstm.computation("inputs", {t, g, j}, sums(t, g, j));
  Computation blocks = lstm.computation("blocks", {g, k, j}, u(g, k, j));
  Computation start = lstm.computation("start", {j}, Expr(0.0f));
  Computation state = inputs, c = inputs, h = inputs;
  lstm.loop(t, [&] {
    const auto s = sigmoid, tanh = hyperbolic_tangent;
    state = lstm.declare("state", {t, g, j}, f32);
    const auto z = [&](int g) { return bias(g, j) + inputs(t, g, j) + state(t, g, j); };
    c = lstm.declare("c", {t, j}, f32);
    c.define(s(z(1)) * select(t > 0, c(t - 1, j), 0.0f) + s(z(0)) * tanh(z(2)));
    h = lstm.computation("h", {t, j}, s(z(3)) * tanh(c(t, j)));
    state.define(sum(k, blocks(g, k, j) * select(t > 0, h(t - 1, k), 0.0f)));
  });

  Var t0("t0"), j0("j0"), t1("t1"), j1("j1");
  inputs.interchange(t, g).tile(t, j, rows, columns, t0, j0, t1, j1).interchange(t0, j0);
  inputs.parallelize(g);
  in_tiles_of_steps(sums, inputs, t0, d);

  in_blocks_of_cells(state, c, h, j0);
  state.parallelize(j0);
  c.store_in({j});
  h.store_in({t + 1, j});
  start.store_in(h.buffer(), {Expr(0), j}).vectorize(j, lanes);
  blocks.store_in({j / block, k, g, j % block});
  blocks.vectorize(j, lanes).parallelize(g);
  return {lstm, {x.buffer(), w.buffer(), u.buffer(), bias.buffer(), h.buffer()}};
}

}  // namespace lstm_example
