// A = L U, in place, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_lu_benchmark {

// Step k divides the column below the diagonal and subtracts products from the part to its right.
// The column gets a loop j of one iteration, so that both are in one nest, which can be tiled.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const int lanes = machine().lanes(f64);
  Function f("kernel_lu");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), k("k", 0, N);
  Var below("i", k + 1, N), right("j", k + 1, N), head("j", k, k + 1);
  Input matrix = f.input("A", f64, {N, N});
  Computation a = f.computation("a", {i, j}, matrix(i, j)), column = a, rest = a;
  f.loop(k, [&] {
    column = a.update({k, below, head}, {below, k}, a(below, k) / a(k, k));
    rest = a.update({k, below, right}, {below, right}, a(below, right) - a(below, k) * a(k, right));
  });
  a.store_in(matrix.buffer());

  Var k0("k0"), i0("i0"), j0("j0"), k1("k1"), i1("i1"), j1("j1"), wave("wave");
  column.fuse(i, rest, i).fuse(j, rest, j);
  column.tile(k, i, j, 64, 32, 128, k0, i0, j0, k1, i1, j1);
  column.skew(i0, j0, 1, 1, wave, j0);
  column.parallelize(j0);
  column.distribute_loop(j1);
  rest.vectorize(j1, lanes);
  return {f, {matrix.buffer()}};
}

}  // namespace kernel_lu_benchmark
