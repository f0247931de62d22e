// Schedules for sums along and across the rows of a matrix.
#pragma once

#include <algorithm>

#include "examples/common/scheduled.h"

namespace polybench {

// Rows of a block that sums on its own. Its row of sums is added to those of the others, which
// costs little if there are many rows; and each core should get four of the blocks that a matrix of
// 2000 rows has.
inline int block_rows() {
  const int rows = 2000 / (4 * strata::machine().cores);
  return std::clamp(rows, 16, 256);
}

// A sum over k with one result: partial sums in vectors, each over every n-th k, if n is their
// number. A multiply-add needs two loads; there are enough vectors to load while it takes place.
inline void in_lanes(strata::Computation sum, const strata::Var& k) {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f64), vectors = std::max(2, m.fma_latency * m.loads / 2);
  Var k0("k0"), lane("lane"), v("v");
  sum.split(k, vectors * lanes, k0, lane);
  Computation part = sum.rfactor(lane, "part_of_" + sum.name());
  part.vectorize(lane, lanes, lane, v).separate(v).unroll(lane).separate(lane);
}

// down(j) is a sum over i.  The rows are split into blocks, by loops i0 and i1, and each block has
// its own row of sums: the caller can run i0 in parallel.  Returns these sums; "down" adds them up.
inline strata::Computation in_blocks_of_rows(strata::Computation down, const strata::Var& i,
                                             const strata::Var& j) {
  using namespace strata;
  const int lanes = machine().lanes(f64);
  Var i0("i0"), i1("i1");
  down.interchange(j, i).split(i, block_rows(), i0, i1);
  Computation rows = down.rfactor(i0, "rows").store_in({i0, j});
  rows.vectorize(j, lanes);
  down.vectorize(j, lanes);
  return rows;
}

}  // namespace polybench
