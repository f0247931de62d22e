// Schedules for matrix products.
#pragma once

#include "examples/common/scheduled.h"

namespace polybench {

// c(i, j) is computed from sums(i, j), each a sum over k of a factor that depends on i and k times
// one that depends on k and j. Tiles of c run through k together: their sums stay in
// registers, and each step loads the vectors of a row along j and a number for each row. Full
// tiles have their own code; in partial tiles, guards and masks disable rows and lanes outside the
// domain. Columns of tiles run in parallel.
inline void in_tiles(strata::Computation c, const std::vector<strata::Computation>& all_sums,
                     const strata::Var& i, const strata::Var& j, const strata::Var& k) {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f64);
  const auto [rows, columns] = m.product_tile(f64);
  Var i0("i0"), j0("j0"), i1("i1"), j1("j1"), lane("lane");
  c.tile(i, j, rows, columns, i0, j0, i1, j1).interchange(i0, j0).parallelize(j0);
  for (Computation sums : all_sums) {
    sums.compute_at(c, i0).interchange(j, k).interchange(i, k);
    sums.vectorize(j, lanes, j, lane).mask(lane).unroll(j).guard(j).unroll(i).guard(i);
  }
  c.vectorize(j1, lanes, j1, lane).separate(lane).unroll(j1).separate(j1).unroll(i1).separate(i1);
}

// Each column of tiles reads its columns of b through its own panel, whose rows are contiguous.
template <typename Array>
strata::Computation through_panel(strata::Computation sums, const Array& b,
                                  const std::string& name) {
  using namespace strata;
  const int lanes = machine().lanes(f64);
  Var x("x"), y("y"), lane("lane");
  Computation panel = sums.cache_at(Var("j0"), b, name, {x, y});
  panel.vectorize(y, lanes, y, lane).mask(lane);
  return panel;
}

// rows(k, i), of which a tile reads r neighbours i for every k, is stored in the order of these
// reads:
//     { rows[k, i] -> rows[floor(i / r), k, i mod r] }
inline void in_panels(strata::Computation rows, const strata::Var& k, const strata::Var& i) {
  using namespace strata;
  const int neighbours = machine().product_tile(f64).rows;
  Var i0("i0"), i1("i1");
  rows.store_in({i / neighbours, k, i % neighbours}).parallelize(k);
  rows.split(i, neighbours, i0, i1).unroll(i1).separate(i1);
}

// The columns j of a matrix with rows k, in parallel blocks of as many as fit the second cache at
// the large sizes. A block first computes the values that its columns need: "needed", each before
// what it reads. "sums" are those of them that are sums over k.
inline void in_blocks_of_columns(strata::Computation matrix,
                                 const std::vector<strata::Computation>& needed,
                                 const std::vector<strata::Computation>& sums, const strata::Var& j,
                                 const strata::Var& k) {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f64);
  Var block("block"), j1("j1");
  matrix.split(j, m.fitting(2, 1400 * sizeof(double)), block, j1).interchange(k, block);
  matrix.parallelize(block).vectorize(j1, lanes);
  for (Computation c : needed) c.compute_at(matrix, block);
  for (Computation c : sums) c.interchange(j, k);
  for (Computation c : needed) c.vectorize(j, lanes);
}

}  // namespace polybench
