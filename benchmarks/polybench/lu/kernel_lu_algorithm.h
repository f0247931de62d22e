// A = L U, in place, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_lu_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_lu");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), k("k", 0, N), below("i", k + 1, N), right("j", k + 1, N);
  Input matrix = f.input("A", f64, {N, N});
  Computation a = f.computation("a", {i, j}, matrix(i, j)), column = a, rest = a;
  f.loop(k, [&] {
    column = a.update({k, below}, {below, k}, a(below, k) / a(k, k));
    rest = a.update({k, below, right}, {below, right}, a(below, right) - a(below, k) * a(k, right));
  });
  a.store_in(matrix.buffer());
  rest.after(column, i);
  column.parallelize(i);
  rest.vectorize(j, 8);
  return {f, {matrix.buffer()}};
}

}  // namespace kernel_lu_benchmark
