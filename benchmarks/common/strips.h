// A schedule for matrix-vector products.
#pragma once

#include "examples/common/scheduled.h"

namespace benchmarks {

// y(i), a sum over j of what hangs on i and j times what hangs on j.  Of each of 16 rows 16 partial
// sums grow at the same time, in registers; each vector along j that is loaded serves all rows,
// whose partial sums are added up together.  Strips of 16 rows run in parallel.
inline void in_strips(strata::Computation y, const strata::Var& i, const strata::Var& j) {
  using namespace strata;
  Var strip("strip"), row("row"), lane("lane");
  y.split(i, 16, strip, row).parallelize(strip);
  y.split(j, 16, j, lane);
  Computation part = y.rfactor(lane, "part");
  part.compute_at(y, strip);
  part.interchange(row, j).vectorize(lane).separate(lane).unroll(row).separate(row);
  y.interchange(row, lane).vectorize(row).mask(row);
}

}  // namespace benchmarks
