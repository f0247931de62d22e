// A = L L^T, the lower triangle, in place, and its schedule.
#pragma once

#include "benchmarks/polybench/common/blocks.h"
#include "examples/common/scheduled.h"

namespace kernel_cholesky_benchmark {

// Step k takes the square root of the diagonal element, divides the column below by it, and
// subtracts products from the part to the right. The steps of a block first run in the columns of
// the block, then in tiles of the rest, which stay in registers for all of them; the factors of the
// rest are copied in the order in which the tiles read them.
class Cholesky {
 public:
  Cholesky(strata::Function& f, strata::Computation& a, const strata::Param& N)
      : column_(a), upper_(a), panel_(a), lower_(a), rest_(a) {
    using namespace strata;
    Var k("k", 0, N), below("i", k + 1, N);
    const Expr next = k / steps * steps + steps;
    Var inside("j", k + 1, min(below + 1, next)), low("i", next, N), right("j", next, low + 1);
    Var top("i", k, k + 1), left("j", k, k + 1);
    f.loop(k, [&] {
      const auto updated = [&](const Var& i, const Var& j, const Expr& factor) {
        return a.update({k, i, j}, {i, j}, a(i, j) - factor * upper_(k, j));
      };
      a.update({k, top, left}, {k, k}, sqrt(a(k, k)));
      column_ = a.update({k, below, left}, {below, k}, a(below, k) / a(k, k));
      upper_ = f.computation("upper", {k, below}, a(below, k));
      panel_ = updated(below, inside, a(below, k));
      lower_ = f.computation("lower", {k, low}, a(low, k));
      rest_ = updated(low, right, lower_(k, low));
    });
  }

  void schedule(strata::Function& f) {
    using namespace strata;
    Var i("i"), j("j"), k("k"), k0("k0"), k1("k1");
    upper_.store_in({i / tile.columns, k % steps, i % tile.columns});
    lower_.store_in({i / tile.rows, k % steps, i % tile.rows});
    f.together([&] {
      column_.split(k, steps, k0, k1).fuse(i, upper_, i).fuse(i, panel_, i);
      lower_.after(panel_, k0);
      rest_.after(lower_, k0);
      polybench::in_tiles_of_block(rest_, i, j, k1, tile.rows, tile.columns);
      panel_.vectorize(j, machine().lanes(f64));
    });
  }

 private:
  const int steps = polybench::steps_of_block();
  const strata::RegisterTile tile = strata::machine().product_tile(strata::f64);
  strata::Computation column_, upper_, panel_, lower_, rest_;
};

inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_cholesky");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, i + 1);
  Input matrix = f.input("A", f64, {N, N});
  Computation a = f.computation("a", {i, j}, matrix(i, j));
  Cholesky cholesky(f, a, N);
  a.store_in(matrix.buffer());
  cholesky.schedule(f);
  return {f, {matrix.buffer()}};
}

}  // namespace kernel_cholesky_benchmark
