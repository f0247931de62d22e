// Solves A x = b by A = L U in place, L y = b and U x = y: the definition alone.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_ludcmp_benchmark {

inline examples::Scheduled definition() {
  using namespace strata;
  Function f("kernel_ludcmp");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), left("j", 0, i), r("r", 0, N), after("j", N - r, N);
  Var k("k", 0, N), below("i", k + 1, N), right("j", k + 1, N);
  Input matrix = f.input("A", f64, {N, N}), b = f.input("b", f64, {N});
  Computation a = f.computation("a", {i, j}, matrix(i, j));
  f.loop(k, [&] {
    a.update({k, below}, {below, k}, a(below, k) / a(k, k));
    a.update({k, below, right}, {below, right}, a(below, right) - a(below, k) * a(k, right));
  });
  Computation y = f.computation("y", {i}, b(i));
  f.loop(i, [&] {
    Computation dot = f.computation("dot_y", {i}, sum(left, a(i, left) * y(left)));
    y.update({i}, {i}, y(i) - dot(i));
  });
  Computation x = f.computation("x", {i}, y(i));
  const Expr row = N - 1 - r;
  f.loop(r, [&] {
    Computation dot = f.computation("dot_x", {r}, sum(after, a(row, after) * x(after)));
    x.update({r}, {row}, (x(row) - dot(r)) / a(row, row));
  });
  a.store_in(matrix.buffer());
  return {f, {matrix.buffer(), b.buffer(), x.buffer(), y.buffer()}, {{"N", 2000}}};
}

}  // namespace kernel_ludcmp_benchmark
