// Code shared by the schedules of LSTM cells.
#pragma once

#include <strata/strata.h>

#include <algorithm>

namespace lstm_example {

inline strata::Expr sigmoid(const strata::Expr& y) { return 1.0f / (1.0f + exp(-y)); }

// Uses one exponential; its absolute error is small, its relative error is not.
inline strata::Expr hyperbolic_tangent(const strata::Expr& y) {
  return 2.0f * sigmoid(2.0f * y) - 1.0f;
}

// So many cells that the sums of their four gates keep the multiply-add units busy; at least two
// vectors, so that a sum has time left to wait for what comes late from an outer cache.
inline int block_of_cells() {
  const strata::Machine m = strata::machine();
  return std::max(2, (m.sums_in_flight() + 3) / 4) * m.lanes(strata::f32);
}

// Each step computes, for one block of cells (j0) after the other, the sums state(.., g, j) over k
// of all gates, which stay in registers, then the cells' c(.., j) and h(.., j).
inline void in_blocks_of_cells(strata::Computation state, strata::Computation c,
                               strata::Computation h, const strata::Var& j0) {
  using namespace strata;
  const int lanes = machine().lanes(f32), block = block_of_cells();
  Var g("g"), j("j"), k("k"), j1("j1"), lane("lane");
  state.split(j, block, j0, j1).reorder({j0, k, g, j1});
  state.vectorize(j1, lanes, j1, lane).separate(lane).unroll(j1).separate(j1).unroll(g);
  c.split(j, block, j0, j1).after(state, j0).vectorize(j1, lanes);
  h.split(j, block, j0, j1).after(c, j0).vectorize(j1, lanes);
  state.allocate_at(state, j0);
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
