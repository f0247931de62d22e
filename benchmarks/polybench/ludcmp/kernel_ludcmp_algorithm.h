// Solves A x = b by A = L U in place, L y = b and U x = y, and its schedule.
#pragma once

#include "benchmarks/polybench/common/sums.h"

namespace kernel_ludcmp_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  const int lanes = machine().lanes(f64);
  Function f("kernel_ludcmp");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), k("k", 0, N), below("i", k + 1, N), right("j", k + 1, N),
      head("j", k, k + 1);
  Input matrix = f.input("A", f64, {N, N}), b = f.input("b", f64, {N});
  Computation a = f.computation("a", {i, j}, matrix(i, j)), column = a, rest = a;
  f.loop(k, [&] {
    column = a.update({k, below, head}, {below, k}, a(below, k) / a(k, k));
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

  Var k0("k0"), i0("i0"), j0("j0"), k1("k1"), i1("i1"), j1("j1"), wave("wave");
  column.fuse(i, rest, i).fuse(j, rest, j);
  column.tile(k, i, j, 64, 32, 128, k0, i0, j0, k1, i1, j1);
  column.skew(i0, j0, 1, 1, wave, j0).parallelize(j0);
  column.distribute_loop(j1);
  rest.vectorize(j1, lanes);
  polybench::in_lanes(lower, left);
  polybench::in_lanes(upper, after);
  return {f, {matrix.buffer(), b.buffer(), x.buffer(), y.buffer()}};
}

}  // namespace kernel_ludcmp_benchmark
