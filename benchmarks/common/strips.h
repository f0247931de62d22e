// A schedule for matrix-vector products.
#pragma once

#include "examples/common/scheduled.h"

namespace benchmarks {

// y(i) is a sum over j of a factor that depends on i and j times one that depends on j. The
// partial sums of "rows" rows, in "vectors" vectors each, are accumulated together; each value
// loaded along j serves all of them. A strip has as many rows as a vector has lanes: its partial
// sums are added up together. Strips run in parallel.
inline void in_strips(strata::Computation y, const strata::Var& i, const strata::Var& j, int rows,
                      int vectors) {
  using namespace strata;
  const int width = machine().lanes(f32);
  Var strip("strip"), row("row"), some("some"), part_of("part_of"), lanes("lanes"), lane("lane");
  y.split(i, width, strip, row).parallelize(strip);
  y.split(j, width * vectors, j, lanes);
  Computation part = y.rfactor(lanes, "part");
  part.compute_at(y, strip).split(row, rows, some, row).interchange(row, j);
  part.vectorize(lanes, width, part_of, lane).separate(lane);
  part.unroll(part_of).separate(part_of).unroll(row).separate(row);
  y.interchange(row, lanes).vectorize(row).mask(row);
}

}  // namespace benchmarks
