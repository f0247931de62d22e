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

}  // namespace polybench
