// The maximum number of base pairs in an RNA sequence, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_nussinov_benchmark {

// N(i, j) for the part from i to j, with i descending:
//     N(i, j) = max(N(i, j - 1), N(i + 1, j), N(i + 1, j - 1) + pair(i, j),
//                   N(i, k) + N(k + 1, j) for i < k < j)
// where pair(i, j) is 1 if the bases at i and j pair and i < j - 1, else 0.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const int lanes = machine().lanes(f64);
  Function f("kernel_nussinov");
  Param N = f.param("N");
  Var r("r", 0, N), i("i", 0, N), j("j", 0, N), k("k", N - r, N), right("j", k + 1, N);
  Var start("j", N - r, N);
  const Expr row = N - 1 - r;
  Input seq = f.input("seq", f64, {N});
  Computation table = f.computation("table", {i, j}, 0.0);
  Computation first = table, next = table, split = table;
  f.loop(r, [&] {
    first = table.update(
        {r, start}, {row, start},
        max(select(r > 0, table(row + 1, start), 0.0),
            select(start > row + 1,
                   table(row + 1, start - 1) + select(seq(row) + seq(start) == 3.0, 1.0, 0.0),
                   0.0)));
    f.loop(k, [&] {
      next = table.update({r, k}, {row, k}, max(table(row, k), table(row, k - 1)));
      split = table.update({r, k, right}, {row, right},
                           max(table(row, right), table(row, k) + table(k + 1, right)));
    });
  });
  Var lane("lane");
  split.vectorize(j, lanes, j, lane).separate(lane);
  return {f, {seq.buffer(), table.buffer()}};
}

}  // namespace kernel_nussinov_benchmark
