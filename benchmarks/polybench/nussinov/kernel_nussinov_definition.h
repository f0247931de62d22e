// The maximum number of base pairs in an RNA sequence: the definition alone.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_nussinov_benchmark {

inline examples::Scheduled definition() {
  using namespace strata;
  Function f("kernel_nussinov");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), r("r", 0, N), c("c", N - r, N);
  const Expr row = N - 1 - r;
  Var k("k", row + 1, c);
  Input seq = f.input("seq", f64, {N});
  Computation table = f.computation("table", {i, j}, 0.0);
  const Expr pair = select(seq(row) + seq(c) == 3.0 && c > row + 1, 1.0, 0.0);
  f.loop(r, [&] {
    f.loop(c, [&] {
      table.update({r, c, k}, {row, c}, max(table(row, c), table(row, k) + table(k + 1, c)));
      const Expr without = max(table(row, c - 1), table(row + 1, c));
      const Expr longest = max(without, table(row + 1, c - 1) + pair);
      table.update({r, c}, {row, c}, max(table(row, c), longest));
    });
  });
  return {f, {seq.buffer(), table.buffer()}};
}

}  // namespace kernel_nussinov_benchmark
