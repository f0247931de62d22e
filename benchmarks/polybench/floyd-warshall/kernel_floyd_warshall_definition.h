// The lengths of shortest paths between all nodes of a graph: the definition alone.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_floyd_warshall_benchmark {

inline examples::Scheduled definition() {
  using namespace strata;
  Function f("kernel_floyd_warshall");
  Param N = f.param("N");
  Var k("k", 0, N), i("i", 0, N), j("j", 0, N);
  Input path = f.input("path", f64, {N, N});
  Computation d = f.computation("d", {i, j}, path(i, j));
  f.loop(k, [&] { d.update({k, i, j}, {i, j}, min(d(i, j), d(i, k) + d(k, j))); });
  d.store_in(path.buffer());
  return {f, {path.buffer()}};
}

}  // namespace kernel_floyd_warshall_benchmark
