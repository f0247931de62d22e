// A = L U by elimination in blocks of steps, as in LAPACK's getrf.
#pragma once

#include "benchmarks/polybench/common/blocks.h"
#include "examples/common/scheduled.h"

namespace polybench {

// Step k divides the column below the diagonal and subtracts products from the part to its right.
// The steps of a block first run in the columns of the block, then in its rows, then in tiles of
// the rest, which stay in registers for all of them. The factors of the rest are copied in the
// order in which the tiles read them:
//     { lower[k, i] -> lower[floor(i / r), k mod s, i mod r] },   and upper[k, j] alike
class Elimination {
 public:
  Elimination(strata::Function& f, strata::Computation& a, const strata::Param& N)
      : column_(a), panel_(a), row_(a), lower_(a), upper_(a), rest_(a) {
    using namespace strata;
    Var k("k", 0, N);
    const Expr next = k / steps * steps + steps, end = min(next, N);
    Var below("i", k + 1, N), head("j", k, k + 1), inside("j", k + 1, end);
    Var top("i", k + 1, end), low("i", next, N), after("j", next, N);
    f.loop(k, [&] {
      const auto updated = [&](const Var& i, const Var& j, const Expr& left, const Expr& above) {
        return a.update({k, i, j}, {i, j}, a(i, j) - left * above);
      };
      column_ = a.update({k, below, head}, {below, k}, a(below, k) / a(k, k));
      panel_ = updated(below, inside, a(below, k), a(k, inside));
      row_ = updated(top, after, a(top, k), a(k, after));
      lower_ = f.computation("lower", {k, low}, a(low, k));
      upper_ = f.computation("upper", {k, after}, a(k, after));
      rest_ = updated(low, after, lower_(k, low), upper_(k, after));
    });
  }

  void schedule(strata::Function& f) {
    using namespace strata;
    const int lanes = machine().lanes(f64);
    Var i("i"), j("j"), k("k"), k0("k0"), k1("k1"), j0("j0"), j1("j1");
    lower_.store_in({i / rows, k % steps, i % rows});
    upper_.store_in({j / columns, k % steps, j % columns});
    f.together([&] {
      column_.split(k, steps, k0, k1).fuse(i, panel_, i);
      row_.after(panel_, k0);
      lower_.after(row_, k0);
      upper_.after(lower_, k0);
      rest_.after(upper_, k0);
      row_.split(j, columns, j0, j1).interchange(i, j0).interchange(k1, j0).parallelize(j0);
      in_tiles_of_block(rest_, i, j, k1, rows, columns);
      panel_.vectorize(j, lanes);
      row_.vectorize(j1, lanes);
      upper_.vectorize(j, lanes);
    });
  }

 private:
  const int steps = steps_of_block();
  const int rows = strata::machine().product_tile(strata::f64).rows;
  const int columns = strata::machine().product_tile(strata::f64).columns;
  strata::Computation column_, panel_, row_, lower_, upper_, rest_;
};

}  // namespace polybench
