// A recurrent layer of LSTM cells over time: the definition alone.
#pragma once

#include "examples/common/scheduled.h"
#include "examples/lstm/cell.h"

namespace lstm_benchmark {

inline examples::Scheduled definition() {
  using namespace strata;
  Function lstm("lstm");
  Param T = lstm.param("T"), H = lstm.param("H"), D = lstm.param("D");
  Var t("t", 0, T), g("g", 0, 4), j("j", 0, H), d("d", 0, D), k("k", 0, H);
  Input x = lstm.input("x", f32, {T, D}), w = lstm.input("w", f32, {4, D, H});
  Input u = lstm.input("u", f32, {4, H, H}), bias = lstm.input("bias", f32, {4, H});

  Computation sums = lstm.computation("sums", {t, g, j}, sum(d, w(g, d, j) * x(t, d)));
  Computation start = lstm.computation("start", {j}, Expr(0.0f));
  Computation state = start, c = start, h = start;
  lstm.loop(t, [&] {
    const auto s = lstm_example::sigmoid, tanh = lstm_example::hyperbolic_tangent;
    state = lstm.declare("state", {t, g, j}, f32);
    const auto z = [&](int g) { return bias(g, j) + sums(t, g, j) + state(t, g, j); };
    c = lstm.declare("c", {t, j}, f32);
    c.define(s(z(1)) * select(t > 0, c(t - 1, j), 0.0f) + s(z(0)) * tanh(z(2)));
    h = lstm.computation("h", {t, j}, s(z(3)) * tanh(c(t, j)));
    state.define(sum(k, u(g, k, j) * select(t > 0, h(t - 1, k), 0.0f)));
  });
  h.store_in({t + 1, j});
  start.store_in(h.buffer(), {Expr(0), j});
  return {lstm,
          {x.buffer(), w.buffer(), u.buffer(), bias.buffer(), h.buffer()},
          {{"T", 100}, {"H", 256}, {"D", 256}}};
}

}  // namespace lstm_benchmark
