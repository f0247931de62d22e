// The lengths of shortest paths between all nodes of a graph, and their schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_floyd_warshall_benchmark {

// Step k finds the paths through the nodes up to k:
//     d(i, j) = min(d(i, j), d(i, k) + d(k, j))
// out of the lengths before it, so row and column k are copied first.
inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_floyd_warshall");
  Param N = f.param("N");
  Var k("k", 0, N), i("i", 0, N), j("j", 0, N);
  Input path = f.input("path", f64, {N, N});
  Computation d = f.computation("d", {i, j}, path(i, j)), through = d;
  f.loop(k, [&] {
    Computation from = f.computation("from", {k, j}, d(k, j));
    Computation to = f.computation("to", {k, i}, d(i, k));
    through = d.update({k, i, j}, {i, j}, min(d(i, j), to(k, i) + from(k, j)));
    from.store_in({j}).vectorize(j, 8);
    to.store_in({i});
  });
  d.store_in(path.buffer());
  through.parallelize(i);
  through.vectorize(j, 8);
  return {f, {path.buffer()}};
}

}  // namespace kernel_floyd_warshall_benchmark
