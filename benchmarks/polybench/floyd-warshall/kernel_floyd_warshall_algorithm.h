// The lengths of shortest paths between all nodes of a graph, and their schedule.
#pragma once

#include "benchmarks/polybench/common/blocks.h"
#include "examples/common/scheduled.h"

namespace kernel_floyd_warshall_benchmark {

// Step k admits paths through node k:
//     d(i, j) = min(d(i, j), d(i, k) + d(k, j))
// from the previous lengths, so row and column k are copied first. Steps run in blocks of 32:
// first the rows and columns of the block's nodes, from which the copies are made, then the rest.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const Machine m = machine();
  // Tiles of four rows, which divide a block.
  const int lanes = m.lanes(f64), columns_of_tile = m.product_tile(f64).columns;
  const int steps = polybench::steps_of_block();
  Function f("kernel_floyd_warshall");
  Param N = f.param("N");
  Var k("k", 0, N), i("i", 0, N), j("j", 0, N);
  Input path = f.input("path", f64, {N, N});
  Computation d = f.computation("d", {i, j}, path(i, j)), from = d, to = d, rows = d, columns = d;
  Computation rest = d;
  f.loop(k, [&] {
    from = f.computation("from", {k, j}, d(k, j));
    to = f.computation("to", {k, i}, d(i, k));
    const auto through = [&](const Expr& where) {
      const Expr shorter = min(d(i, j), to(k, i) + from(k, j));
      return d.update({k, i, j}, {i, j}, shorter).where(where);
    };
    rows = through(i / steps == k / steps);
    columns = through(i / steps != k / steps && j / steps == k / steps);
    rest = through(i / steps != k / steps && j / steps != k / steps);
  });
  d.store_in(path.buffer());
  from.store_in({k % steps, j});
  to.store_in({k % steps, i});

  Var k0("k0"), k1("k1");
  f.together([&] {
    from.split(k, steps, k0, k1);
    rest.after(columns, k0);
    polybench::in_tiles_of_block(rest, i, j, k1, 4, columns_of_tile);
    from.vectorize(j, lanes);
    rows.vectorize(j, lanes);
    columns.vectorize(j, lanes);
  });
  return {f, {path.buffer()}};
}

}  // namespace kernel_floyd_warshall_benchmark
