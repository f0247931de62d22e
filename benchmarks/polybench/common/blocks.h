// Blocks of steps, whose tiles stay in registers.
#pragma once

#include <strata/strata.h>

namespace polybench {

// A tile is read and written once for so many updates of each element, at least 32. A multiple of
// the tile's columns, so that no tile belongs to two blocks.
inline int steps_of_block() {
  const int columns = strata::machine().product_tile(strata::f64).columns;
  return (31 + columns) / columns * columns;
}

// c(i, j) is updated in tiles, each for all steps k1 of a block at once. Rows of tiles run in
// parallel. Full tiles have their own code.
inline void in_tiles_of_block(strata::Computation c, const strata::Var& i, const strata::Var& j,
                              const strata::Var& k1, int rows, int columns) {
  using namespace strata;
  Var i0("i0"), j0("j0"), i1("i1"), j1("j1"), lane("lane");
  c.tile(i, j, rows, columns, i0, j0, i1, j1).interchange(k1, i0).interchange(k1, j0);
  c.parallelize(i0).vectorize(j1, machine().lanes(f64), j1, lane).separate(lane);
  c.unroll(j1).separate(j1).unroll(i1).separate(i1);
}

}  // namespace polybench
