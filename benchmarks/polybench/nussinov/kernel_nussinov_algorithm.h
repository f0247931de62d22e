// The maximum number of base pairs in an RNA sequence, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_nussinov_benchmark {

// N(i, j) for the part from i to j, with i descending:
//     N(i, j) = max(N(i, j - 1), N(i + 1, j), N(i + 1, j - 1) + pair(i, j),
//                   N(i, k) + N(k + 1, j) for i < k < j)
// where pair(i, j) is 1 if the bases at i and j pair and i < j - 1, else 0. Tiles of rows and
// columns first run through all k that are neither among their rows nor their columns, in
// registers, as in a matrix product; these k read a copy of the values that are done. Then, column
// by column, through the others. Tiles on a diagonal run in parallel.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f64);
  const auto [height, width] = m.product_tile(f64, 2);
  Function f("kernel_nussinov");
  Param N = f.param("N");
  Var r("r", 0, N), i("i", 0, N), j("j", 0, N), c("c", N - 1 - r, N);
  const Expr row = N - 1 - r;
  const Expr above = N - 1 - r / height * height, left = c / width * width;
  Var near("k", row + 1, min(above, c)), far("k", above, left), last("k", max(above, left), c);
  Input seq = f.input("seq", f64, {N});
  Computation table = f.computation("table", {i, j}, 0.0);
  Computation done = f.computation("done", {i, j}, 0.0);
  Computation product = table, in_rows = table, in_columns = table, cell = table, copy = done;
  f.loop(r, [&] {
    f.loop(c, [&] {
      const auto split_at = [&](const Var& k) {
        return table.update({r, c, k}, {row, c},
                            max(table(row, c), done(r, k) + done(N - 2 - k, c)));
      };
      product = split_at(far);
      in_rows = split_at(near);
      in_columns = split_at(last);
      const Expr pair = select(seq(row) + seq(c) == 3.0 && c > row + 1, 1.0, 0.0);
      const Expr within = max(done(r, c - 1), done(r - 1, c - 1) + pair);
      cell = table.update({r, c}, {row, c},
                          max(table(row, c), max(select(c > row, within, 0.0),
                                                 select(r > 0 && c > row, done(r - 1, c), 0.0))));
      copy = done.update({r, c}, {r, c}, table(row, c));
    });
  });
  done.store_in({j / width, i, j % width});

  Var r0("r0"), c0("c0"), r1("r1"), c1("c1"), lane("lane"), wave("wave"), k("k");
  f.together([&] {
    product.tile(r, c, height, width, r0, c0, r1, c1);
    in_rows.after(product, c0);
    in_columns.after(in_rows, c1);
    cell.after(in_columns, c1);
    copy.after(cell, c1);
    in_rows.interchange(r1, c1);
    product.interchange(c1, k).interchange(r1, k);
    product.vectorize(c1, lanes, c1, lane).separate(lane);
    product.unroll(c1).separate(c1).unroll(r1).separate(r1);
    product.skew(r0, c0, 1, 1, wave, c0).parallelize(c0);
  });
  return {f, {seq.buffer(), table.buffer()}};
}

}  // namespace kernel_nussinov_benchmark
