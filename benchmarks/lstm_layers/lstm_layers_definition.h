// Several recurrent layers of LSTM cells over time: the definition alone.
#pragma once

#include "examples/common/scheduled.h"
#include "examples/lstm/cell.h"

namespace lstm_layers_benchmark {

inline examples::Scheduled definition() {
  using namespace strata;
  Function f("lstm_layers");
  Param L = f.param("L"), T = f.param("T"), H = f.param("H");
  Var l("l", 0, L), t("t", 0, T), g("g", 0, 4), j("j", 0, H), k("k", 0, H);
  Input x = f.input("x", f32, {T, H}), bias = f.input("bias", f32, {L, 4, H});
  Input w = f.input("w", f32, {L, 4, H, H}), u = f.input("u", f32, {L, 4, H, H});
  const auto s = lstm_example::sigmoid, tanh = lstm_example::hyperbolic_tangent;

  Computation start = f.computation("start", {l, j}, Expr(0.0f));
  Computation below = start, sums = start, state = start, c = start, h = start;
  f.loop(l, [&] {
    below = f.declare("below", {l, t, j}, f32);
    sums = f.computation("sums", {l, t, g, j}, sum(k, w(l, g, k, j) * below(l, t, k)));
    f.loop(t, [&] {
      state = f.declare("state", {l, t, g, j}, f32);
      const auto z = [&](int g) { return bias(l, g, j) + sums(l, t, g, j) + state(l, t, g, j); };
      c = f.declare("c", {l, t, j}, f32);
      c.define(s(z(1)) * select(t > 0, c(l, t - 1, j), 0.0f) + s(z(0)) * tanh(z(2)));
      h = f.computation("h", {l, t, j}, s(z(3)) * tanh(c(l, t, j)));
      state.define(sum(k, u(l, g, k, j) * select(t > 0, h(l, t - 1, k), 0.0f)));
    });
    below.define(select(l > 0, h(l - 1, t, j), x(t, j)));
  });
  h.store_in({l, t + 1, j});
  start.store_in(h.buffer(), {l, Expr(0), j});
  return {f,
          {x.buffer(), w.buffer(), u.buffer(), bias.buffer(), h.buffer()},
          {{"L", 4}, {"T", 100}, {"H", 256}}};
}

}  // namespace lstm_layers_benchmark
