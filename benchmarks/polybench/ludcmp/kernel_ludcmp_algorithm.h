// Solves A x = b by A = L U in place, L y = b and U x = y, and its schedule.
#pragma once

#include "benchmarks/polybench/common/elimination.h"
#include "benchmarks/polybench/common/sums.h"

namespace kernel_ludcmp_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_ludcmp");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Input matrix = f.input("A", f64, {N, N}), b = f.input("b", f64, {N});
  Computation a = f.computation("a", {i, j}, matrix(i, j));
  polybench::Elimination elimination(f, a, N);
  Var left("j", 0, i), r("r", 0, N), after("j", N - r, N);
  Computation y = f.computation("y", {i}, b(i)), dot_y = y, solved_y = y;
  f.loop(i, [&] {
    dot_y = f.computation("dot_y", {i}, sum(left, a(i, left) * y(left)));
    solved_y = y.update({i}, {i}, y(i) - dot_y(i));
  });
  Computation x = f.computation("x", {i}, y(i)), dot_x = x, solved_x = x;
  const Expr row = N - 1 - r;
  f.loop(r, [&] {
    dot_x = f.computation("dot_x", {r}, sum(after, a(row, after) * x(after)));
    solved_x = x.update({r}, {row}, (x(row) - dot_x(r)) / a(row, row));
  });
  a.store_in(matrix.buffer());

  elimination.schedule(f);
  polybench::in_lanes(dot_y, left);
  polybench::in_lanes(dot_x, after);
  return {f, {matrix.buffer(), b.buffer(), x.buffer(), y.buffer()}};
}

}  // namespace kernel_ludcmp_benchmark
