// A = L L^T, the lower triangle, in place, and its schedule.
#pragma once

#include "benchmarks/polybench/common/blocks.h"
#include "examples/common/scheduled.h"

namespace kernel_cholesky_benchmark {

// Step k takes the square root of the diagonal element, divides the column below by it, and
// subtracts products from the part to the right. The steps of a block first run in the columns of
// the block, then in tiles of the rest, which stay in registers for all of them; the factors of the
// rest are copied in the order in which the tiles read them.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f64), steps = polybench::steps_of_block();
  const RegisterTile tile = m.product_tile(f64);
  Function f("kernel_cholesky");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, i + 1), k("k", 0, N), below("i", k + 1, N);
  const Expr next = k / steps * steps + steps;
  Var inside("j", k + 1, min(below + 1, next)), low("i", next, N), right("j", next, low + 1);
  Var top("i", k, k + 1), left("j", k, k + 1);
  Input matrix = f.input("A", f64, {N, N});
  Computation a = f.computation("a", {i, j}, matrix(i, j));
  Computation head = a, column = a, upper = a, panel = a, lower = a, rest = a;
  f.loop(k, [&] {
    head = a.update({k, top, left}, {k, k}, sqrt(a(k, k)));
    column = a.update({k, below, left}, {below, k}, a(below, k) / a(k, k));
    upper = f.computation("upper", {k, below}, a(below, k));
    panel = a.update({k, below, inside}, {below, inside},
                     a(below, inside) - a(below, k) * upper(k, inside));
    lower = f.computation("lower", {k, low}, a(low, k));
    rest = a.update({k, low, right}, {low, right},
                    a(low, right) - lower(k, low) * upper(k, right));
  });
  a.store_in(matrix.buffer());
  upper.store_in({below / tile.columns, k % steps, below % tile.columns});
  lower.store_in({low / tile.rows, k % steps, low % tile.rows});

  Var k0("k0"), i0("i0"), j0("j0"), k1("k1"), i1("i1"), j1("j1"), lane("lane");
  f.together([&] {
    column.split(k, steps, k0, k1).fuse(i, upper, i).fuse(i, panel, i);
    lower.after(panel, k0);
    rest.after(lower, k0);
    rest.tile(i, j, tile.rows, tile.columns, i0, j0, i1, j1);
    rest.interchange(k1, i0).interchange(k1, j0).parallelize(i0);
    rest.vectorize(j1, lanes, j1, lane).separate(lane);
    rest.unroll(j1).separate(j1).unroll(i1).separate(i1);
    panel.vectorize(j, lanes);
  });
  return {f, {matrix.buffer()}};
}

}  // namespace kernel_cholesky_benchmark
