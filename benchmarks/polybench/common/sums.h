// Schedules for sums along and across the rows of a matrix.
#pragma once

#include "examples/common/scheduled.h"

namespace polybench {

constexpr int block_rows = 256;

// A sum over k with one result: 16 partial sums, each over every sixteenth k, in two vectors.
inline void in_lanes(strata::Computation sum, const strata::Var& k) {
  using namespace strata;
  const int lanes = machine().lanes(f64);
  Var k0("k0"), lane("lane"), v("v");
  sum.split(k, 2 * lanes, k0, lane);
  Computation part = sum.rfactor(lane, "part_of_" + sum.name());
  part.vectorize(lane, lanes, lane, v).separate(v).unroll(lane).separate(lane);
}

// down(j) is a sum over i.  The rows are split into blocks of 256, by loops i0 and i1, and each
// block has its own row of sums: the caller can run i0 in parallel.  Returns these sums; "down"
// adds them up.
inline strata::Computation in_blocks_of_rows(strata::Computation down, const strata::Var& i,
                                             const strata::Var& j) {
  using namespace strata;
  const int lanes = machine().lanes(f64);
  Var i0("i0"), i1("i1");
  down.interchange(j, i).split(i, block_rows, i0, i1);
  Computation rows = down.rfactor(i0, "rows").store_in({i0, j});
  rows.vectorize(j, lanes);
  down.vectorize(j, lanes);
  return rows;
}

}  // namespace polybench
