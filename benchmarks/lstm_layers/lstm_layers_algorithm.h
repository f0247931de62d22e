// Several recurrent layers of LSTM cells over time, and their schedule.
#pragma once

#include "examples/common/scheduled.h"
#include "examples/lstm/cell.h"

namespace lstm_layers_benchmark {

// Cells as those of examples/lstm; layer l + 1 has the states h of layer l as its inputs, and the
// first one x:
//     h(l, t + 1) = cell(h(l - 1, t + 1), h(l, t)),   made at the beginning of step t + 1 of layer l
// A step of a layer needs the step before and the next one of the layer below, so steps t of layers
// l with the same 2 l + t need nothing of each other, and run in parallel.  Sums of 64 cells of a
// gate stay in registers while both products come in, with weights in blocks of 64 columns.
inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("lstm_layers");
  Param L = f.param("L"), T = f.param("T"), H = f.param("H");
  Var l("l", 0, L), t("t", 0, T), g("g", 0, 4), j("j", 0, H), k("k", 0, H);
  Input x = f.input("x", f32, {T, H}), bias = f.input("bias", f32, {L, 4, H});
  Input w = f.input("w", f32, {L, 4, H, H}), u = f.input("u", f32, {L, 4, H, H});
  const auto s = lstm_example::sigmoid, tanh = lstm_example::hyperbolic_tangent;

  Var after("t", 0, T + 1);
  Computation wb = f.computation("wb", {l, g, k, j}, w(l, g, k, j));
  Computation ub = f.computation("ub", {l, g, k, j}, u(l, g, k, j));
  Computation h = wb, below = wb, sums = wb, z = wb, c = wb;
  f.loop(l, [&] {
    f.loop(t, [&] {
      h = f.declare("h", {l, after, j}, f32);
      below = f.computation("below", {l, t, j}, select(l > 0, h(l - 1, t + 1, j), x(t, j)));
      sums = f.computation("sums", {l, t, g, j}, sum(k, wb(l, g, k, j) * below(l, t, k) +
                                                            ub(l, g, k, j) * h(l, t, k)));
      z = f.computation("z", {l, t, g, j}, bias(l, g, j) + sums(l, t, g, j));
      c = f.declare("c", {l, t, j}, f32);
      c.define(s(z(l, t, 1, j)) * select(t > 0, c(l, t - 1, j), 0.0f) +
               s(z(l, t, 0, j)) * tanh(z(l, t, 2, j)));
      h.define(select(t > 0, s(z(l, t - 1, 3, j)) * tanh(c(l, t - 1, j)), 0.0f));
    });
  });

  Var wave("wave");
  for (Computation blocks : {wb, ub}) {
    const std::string name = blocks.name(), array = name + "[l, g, ";
    blocks.store_in("{ " + array + "k, j] -> " + array + "floor(j/64), k, j mod 64] }");
    blocks.vectorize(j, 16).parallelize(l);
  }
  below.store_in({l, j});
  sums.store_in({l, g, j});
  z.store_in({l, t % 2, g, j});
  c.store_in({l, t % 2, j});
  h.skew(l, t, 2, 1, wave, l).parallelize(l);
  lstm_example::in_blocks_of_cells(sums, j, k);
  for (Computation each : {below, z, c, h}) each.vectorize(j, 16);
  return {f, {x.buffer(), w.buffer(), u.buffer(), bias.buffer(), h.buffer()}};
}

}  // namespace lstm_layers_benchmark
