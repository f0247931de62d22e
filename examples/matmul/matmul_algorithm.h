// A matrix product of any size, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace matmul_example {

// c = a b, through sums that have a place of their own while they grow.  Blocks of 64 x 64 elements
// of c take a panel of 64 columns of b, which stays in the second-level cache.  In a block, tiles
// of 4 x 64 elements go through k together: their sums are 16 vectors of 16 numbers.  They live in
// sums[block, i % 4, j % 64], whose inner extents are constants, so that unrolled accesses have
// constant places and the back end keeps all sums in registers while k runs.  Each vector of b that
// is loaded serves four rows, and each number of a four vectors.
inline examples::Scheduled scheduled() {
  using namespace strata;
  Function matmul("matmul");
  Param N = matmul.param("N"), M = matmul.param("M"), K = matmul.param("K");
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K);
  Input a = matmul.input("a", f32, {N, K}), b = matmul.input("b", f32, {K, M});
  Computation sums = matmul.computation("sums", {i, j}, sum(k, a(i, k) * b(k, j)));
  Computation c = matmul.computation("c", {i, j}, sums(i, j));

  Var i0("i0"), j0("j0"), i1("i1"), j1("j1"), i2("i2"), lane("lane");
  for (Computation x : {sums, c}) {
    x.tile(i, j, 64, 64, i0, j0, i1, j1);
    x.split(i1, 4, i1, i2);  // i0 j0 i1 i2 j1, and k inside for the sums
  }
  sums.interchange(i2, k).interchange(j1, i2);  // i0 j0 i1 k i2 j1
  c.after(sums, i1);
  for (Computation x : {sums, c}) {
    x.vectorize(j1, 16, j1, lane);
    x.unroll(j1);
    x.unroll(i2);
  }
  sums.store_in({i / 64, i % 4, j % 64});
  sums.parallelize(i0);
  return {matmul, {a.buffer(), b.buffer(), c.buffer()}};
}

}  // namespace matmul_example
