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
class Nussinov {
 public:
  Nussinov(strata::Function& f, strata::Computation& table, const strata::Input& seq,
           const strata::Param& N)
      : product_(table), in_rows_(table), in_columns_(table), cell_(table), copy_(table) {
    using namespace strata;
    Var r("r", 0, N), i("i", 0, N), j("j", 0, N), c("c", N - 1 - r, N);
    const Expr row = N - 1 - r;
    const Expr above = N - 1 - r / height * height, left = c / width * width;
    Var near("k", row + 1, min(above, c)), far("k", above, left), last("k", max(above, left), c);
    Computation done = f.computation("done", {i, j}, 0.0);
    f.loop(r, [&] {
      f.loop(c, [&] {
        const auto split_at = [&](const Var& k) {
          return table.update({r, c, k}, {row, c},
                              max(table(row, c), done(r, k) + done(N - 2 - k, c)));
        };
        product_ = split_at(far);
        in_rows_ = split_at(near);
        in_columns_ = split_at(last);
        const Expr pair = select(seq(row) + seq(c) == 3.0 && c > row + 1, 1.0, 0.0);
        const Expr within = max(done(r, c - 1), done(r - 1, c - 1) + pair);
        const Expr below = select(r > 0 && c > row, done(r - 1, c), 0.0);
        cell_ = table.update({r, c}, {row, c},
                             max(table(row, c), max(select(c > row, within, 0.0), below)));
        copy_ = done.update({r, c}, {r, c}, table(row, c));
      });
    });
    done.store_in({j / width, i, j % width});
  }

  void schedule(strata::Function& f) {
    using namespace strata;
    Var r("r"), c("c"), k("k"), r0("r0"), c0("c0"), r1("r1"), c1("c1"), lane("lane"), wave("wave");
    f.together([&] {
      product_.tile(r, c, height, width, r0, c0, r1, c1);
      in_rows_.after(product_, c0);
      in_columns_.after(in_rows_, c1);
      cell_.after(in_columns_, c1);
      copy_.after(cell_, c1);
      in_rows_.interchange(r1, c1);
      product_.interchange(c1, k).interchange(r1, k);
      product_.vectorize(c1, machine().lanes(f64), c1, lane).separate(lane);
      product_.unroll(c1).separate(c1).unroll(r1).separate(r1);
      product_.skew(r0, c0, 1, 1, wave, c0).parallelize(c0);
    });
  }

 private:
  const int height = strata::machine().product_tile(strata::f64, 2).rows;
  const int width = strata::machine().product_tile(strata::f64, 2).columns;
  strata::Computation product_, in_rows_, in_columns_, cell_, copy_;
};

inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_nussinov");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Input seq = f.input("seq", f64, {N});
  Computation table = f.computation("table", {i, j}, 0.0);
  Nussinov(f, table, seq, N).schedule(f);
  return {f, {seq.buffer(), table.buffer()}};
}

}  // namespace kernel_nussinov_benchmark
