// A matrix product of any size, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace matmul_example {

// c = a b, where the sums are stored separately while they accumulate. The 8 x 32 sums of a tile of
// c, 16 vectors of 16 numbers, have a buffer with constant extents. So unrolled accesses have
// constant places, and the back end keeps all sums in registers while k runs. Each vector loaded
// from b is used for eight rows, each number of a for two vectors.
//
// All tiles of 32 columns read one panel of b, K x 32 numbers, which is copied first: it stays in
// the second-level cache, and its rows are contiguous.  Full tiles have their own code; in partial
// tiles, rows are guarded and lanes masked, so that their sums stay in registers too.
inline examples::Scheduled scheduled() {
  using namespace strata;
  Function matmul("matmul");
  Param N = matmul.param("N"), M = matmul.param("M"), K = matmul.param("K");
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K);
  Input a = matmul.input("a", f32, {N, K}), b = matmul.input("b", f32, {K, M});
  Computation sums = matmul.computation("sums", {i, j}, sum(k, a(i, k) * b(k, j)));
  Computation c = matmul.computation("c", {i, j}, sums(i, j));

  Var i0("i0"), j0("j0"), i1("i1"), j1("j1"), x("x"), y("y"), lane("lane");
  c.tile(i, j, 8, 32, i0, j0, i1, j1);
  c.interchange(i0, j0);
  c.parallelize(j0);
  sums.compute_at(c, i0);
  sums.interchange(j, k).interchange(i, k);  // k outside the tile's rows and columns
  Computation panel = sums.cache_at(j0, b, "panel", {x, y});
  panel.vectorize(y, 16, y, lane).mask(lane);
  sums.vectorize(j, 16, j, lane).mask(lane);
  sums.unroll(j).guard(j);
  sums.unroll(i).guard(i);
  c.vectorize(j1, 16, j1, lane).separate(lane);
  c.unroll(j1).separate(j1);
  c.unroll(i1).separate(i1);
  return {matmul, {a.buffer(), b.buffer(), c.buffer()}};
}

}  // namespace matmul_example
