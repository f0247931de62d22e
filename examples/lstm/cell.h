// Code shared by the schedules of LSTM cells.
#pragma once

#include <strata/strata.h>

namespace lstm_example {

inline strata::Expr sigmoid(const strata::Expr& y) { return 1.0f / (1.0f + exp(-y)); }

// Uses one exponential; its absolute error is small, its relative error is not.
inline strata::Expr hyperbolic_tangent(const strata::Expr& y) {
  return 2.0f * sigmoid(2.0f * y) - 1.0f;
}

inline int block_of_cells() {
  const strata::Machine m = strata::machine();
  return m.sums_in_flight() * m.lanes(strata::f32);
}

// For sums(.., j), sums over k: blocks of neighbouring j, whose sums stay in registers while k
// runs: as many as keep the multiply-add units busy.
inline void in_blocks_of_cells(strata::Computation sums, const strata::Var& j,
                               const strata::Var& k) {
  using namespace strata;
  const int lanes = machine().lanes(f32);
  Var j0("j0"), j1("j1"), lane("lane");
  sums.split(j, block_of_cells(), j0, j1).interchange(j1, k);
  sums.vectorize(j1, lanes, j1, lane).separate(lane).unroll(j1).separate(j1);
}

// For inputs(.., t, g, j) = sums(.., t, g, j), where sums are over d and inputs is tiled by steps
// (t1) and cells (j1) inside the loop "tile": the sums of a tile stay in registers while d runs.
inline void in_tiles_of_steps(strata::Computation sums, strata::Computation inputs,
                              const strata::Var& tile, const strata::Var& d) {
  using namespace strata;
  const int lanes = machine().lanes(f32);
  Var t("t"), g("g2"), j("j"), t1("t1"), j1("j1");
  sums.compute_at(inputs, tile).interchange(j, d).interchange(g, d).interchange(t, d);
  sums.vectorize(j, lanes).unroll(j).unroll(t);
  inputs.vectorize(j1, lanes).unroll(j1).unroll(t1);
}

}  // namespace lstm_example
