// A = L L^T, the lower triangle, in place, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_cholesky_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_cholesky");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, i + 1), k("k", 0, N), below("i", k + 1, N);
  Var right("j", k + 1, below + 1);
  Input matrix = f.input("A", f64, {N, N});
  Computation a = f.computation("a", {i, j}, matrix(i, j)), head = a, column = a, row = a, rest = a;
  f.loop(k, [&] {
    head = a.update({k}, {k, k}, sqrt(a(k, k)));
    column = a.update({k, below}, {below, k}, a(below, k) / a(k, k));
    row = f.computation("row", {k, below}, a(below, k));
    rest =
        a.update({k, below, right}, {below, right}, a(below, right) - a(below, k) * row(k, right));
  });
  a.store_in(matrix.buffer());
  row.store_in({below});
  rest.parallelize(i);
  rest.vectorize(j, 8);
  return {f, {matrix.buffer()}};
}

}  // namespace kernel_cholesky_benchmark
