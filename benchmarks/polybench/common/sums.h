// Schedules for sums along and across the rows of a matrix.
#pragma once

#include <algorithm>

#include "examples/common/scheduled.h"

namespace polybench {

// The rows of a block, which has sums of its own. Many rows, since the sums of all blocks are added
// in the end; but a matrix of 2000 rows has at least four blocks for each core.
inline int block_rows() {
  const int rows = 2000 / (4 * strata::machine().cores);
  return std::clamp(rows, 16, 256);
}

// A sum over k with one result: partial sums in vectors, each over every n-th k, if n is their
// number. A multiply-add loads two vectors: so many of them can be loaded during its latency.
inline void in_lanes(strata::Computation sum, const strata::Var& k) {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f64), vectors = std::max(2, m.fma_latency * m.loads / 2);
  Var k0("k0"), lane("lane"), v("v");
  sum.split(k, vectors * lanes, k0, lane);
  Computation part = sum.rfactor(lane, "part_of_" + sum.name());
  part.vectorize(lane, lanes, lane, v).separate(v).unroll(lane).separate(lane);
}

// down(j) is a sum over i. The rows are split into blocks, by loops i0 and i1, and each block has
// its own row of sums: the caller can run i0 in parallel. Returns these sums; "down" adds them up.
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
