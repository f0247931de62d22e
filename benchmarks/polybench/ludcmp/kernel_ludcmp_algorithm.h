// Solves A x = b by A = L U in place, L y = b and U x = y, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_ludcmp_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_ludcmp");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), k("k", 0, N), below("i", k + 1, N), right("j", k + 1, N);
  Input matrix = f.input("A", f64, {N, N}), b = f.input("b", f64, {N});
  Computation a = f.computation("a", {i, j}, matrix(i, j)), column = a, rest = a;
  f.loop(k, [&] {
    column = a.update({k, below}, {below, k}, a(below, k) / a(k, k));
    rest = a.update({k, below, right}, {below, right}, a(below, right) - a(below, k) * a(k, right));
  });
  Var left("j", 0, i), r("r", 0, N), after("j", N - r, N);
  Computation y = f.computation("y", {i}, b(i)), lower = y, solved_y = y;
  f.loop(i, [&] {
    lower = f.computation("lower", {i}, sum(left, a(i, left) * y(left)));
    solved_y = y.update({i}, {i}, y(i) - lower(i));
  });
  Computation x = f.computation("x", {i}, y(i)), upper = x, solved_x = x;
  const Expr row = N - 1 - r;
  f.loop(r, [&] {
    upper = f.computation("upper", {r}, sum(after, a(row, after) * x(after)));
    solved_x = x.update({r}, {row}, (x(row) - upper(r)) / a(row, row));
  });
  a.store_in(matrix.buffer());
  rest.after(column, i);
  column.parallelize(i);
  rest.vectorize(j, 8);
  return {f, {matrix.buffer(), b.buffer(), x.buffer(), y.buffer()}};
}

}  // namespace kernel_ludcmp_benchmark
