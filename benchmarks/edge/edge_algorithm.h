// An edge detector (a ring blur, then Roberts' cross) and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace edge_benchmark {

// Each row of edges reads two rows of the ring blur: a strip keeps those two and computes every row
// of the blur once, except the last one of the strip before, which it computes again. With at
// least five pixels per row, what a row of edges reads of a row of the blur is an interval. What
// remains of a row is left to the CPU: AVX2 has no masks for bytes, where a masked vector would run
// lane after lane. An unsigned sum with an upper limit is one instruction.
inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("edge");
  Param N = f.param("N"), W = f.param("W");
  f.assume(W >= 15);
  Var i("i", 0, N - 2), w("w", 0, W - 6), k("k", 1, N - 2), v("v", 3, W - 6);
  Input in = f.input("in", u8, {N, W});
  Expr around = constant(u16, 0);
  for (const int row : {0, 1, 2})
    for (const int pixel : {0, 1, 2})
      if (row != 1 || pixel != 1) around = around + cast(u16, in(i + row, w + 3 * pixel));
  Computation ring = f.computation("ring", {i, w}, cast(u8, around / 8));
  const auto signed_ring = [&](const Expr& row, const Expr& column) {
    return cast(i16, ring(row, column));
  };
  Computation edges =
      f.computation("edges", {k, v},
                    cast(u8, min(cast(u16, abs(signed_ring(k, v) - signed_ring(k - 1, v - 3))) +
                                     cast(u16, abs(signed_ring(k, v - 3) - signed_ring(k - 1, v))),
                                 255)));

  const int lanes = machine().lanes(u8);
  Var strip("strip"), row("row");
  edges.split(k, examples::strip_rows(1), strip, row);
  edges.guard(row).parallelize(strip);
  ring.compute_at(edges, row).store_at(edges, strip).store_in({i % 2, w});
  ring.vectorize(w, lanes);
  edges.shift(v, -3).vectorize(v, lanes);
  return {f, {in.buffer(), edges.buffer()}};
}

}  // namespace edge_benchmark
