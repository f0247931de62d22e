// A = L L^T, the lower triangle, in place, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_cholesky_benchmark {

// Step k takes the square root of the diagonal element and divides the column below by it.  From
// the part to the right it subtracts products of the column and a copy of it, "row".  Statements
// over a single row or column get a loop of one iteration for it, so that all are in one nest,
// which can be tiled.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const int lanes = machine().lanes(f64);
  Function f("kernel_cholesky");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, i + 1), k("k", 0, N), below("i", k + 1, N);
  Var right("j", k + 1, below + 1), top("i", k, k + 1), left("j", k, k + 1);
  Input matrix = f.input("A", f64, {N, N});
  Computation a = f.computation("a", {i, j}, matrix(i, j));
  Computation head = a, column = a, row = a, rest = a;
  f.loop(k, [&] {
    head = a.update({k, top, left}, {k, k}, sqrt(a(k, k)));
    column = a.update({k, below, left}, {below, k}, a(below, k) / a(k, k));
    row = f.computation("row", {k, below, left}, a(below, k));
    rest = a.update({k, below, right}, {below, right},
                    a(below, right) - a(below, k) * row(k, right, k));
  });
  a.store_in(matrix.buffer());
  row.store_in({k % 64, below});

  Var k0("k0"), i0("i0"), j0("j0"), k1("k1"), i1("i1"), j1("j1"), wave("wave");
  head.fuse(i, column, i).fuse(i, row, i).fuse(i, rest, i);
  head.fuse(j, column, j).fuse(j, row, j).fuse(j, rest, j);
  head.tile(k, i, j, 64, 32, 128, k0, i0, j0, k1, i1, j1);
  head.skew(i0, j0, 1, 1, wave, j0).parallelize(j0);
  head.distribute_loop(j1);
  rest.vectorize(j1, lanes);
  return {f, {matrix.buffer()}};
}

}  // namespace kernel_cholesky_benchmark
