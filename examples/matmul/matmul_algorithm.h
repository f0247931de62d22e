// A matrix product of any size, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace matmul_example {

// c = a b, where the sums are stored separately while they accumulate. The sums of a tile of c have
// a buffer with constant extents. So unrolled accesses have constant places, and the back end keeps
// all sums in registers while k runs: rows x columns of them, as the machine has registers for.
// Each vector loaded from b is used for all rows, each number of a for all vectors.
//
// Both operands are read in the order in which they are stored. "strips" is a copy of a in which
// the rows of a tile are neighbours:
//     { strips[i, k] -> strips[floor(i / rows), k, i mod rows] }
// All tiles of the same columns read one panel of b, K x columns numbers, which is copied first and
// stays in the second-level cache. Full tiles have their own code; in partial tiles, rows are
// guarded and lanes masked, so that their sums stay in registers too.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f32);
  const auto [rows, columns] = m.product_tile(f32);
  Function matmul("matmul");
  Param N = matmul.param("N"), M = matmul.param("M"), K = matmul.param("K");
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K);
  Input a = matmul.input("a", f32, {N, K}), b = matmul.input("b", f32, {K, M});
  Computation strips = matmul.computation("strips", {i, k}, a(i, k));
  Computation sums = matmul.computation("sums", {i, j}, sum(k, strips(i, k) * b(k, j)));
  Computation c = matmul.computation("c", {i, j}, sums(i, j));

  Var i0("i0"), j0("j0"), i1("i1"), j1("j1"), x("x"), y("y"), lane("lane");
  strips.store_in({i / rows, k, i % rows});
  strips.split(i, rows, i0, i1).interchange(i1, k).parallelize(i0);
  strips.unroll(i1).separate(i1).vectorize(k, lanes);
  c.tile(i, j, rows, columns, i0, j0, i1, j1);
  c.interchange(i0, j0);
  c.parallelize(j0);
  sums.compute_at(c, i0);
  sums.interchange(j, k).interchange(i, k);  // k outside the tile's rows and columns
  Computation panel = sums.cache_at(j0, b, "panel", {x, y});
  panel.vectorize(y, lanes, y, lane).mask(lane);
  sums.vectorize(j, lanes, j, lane).mask(lane);
  sums.unroll(j).guard(j);
  sums.unroll(i).guard(i);
  c.vectorize(j1, lanes, j1, lane).separate(lane);
  c.unroll(j1).separate(j1);
  c.unroll(i1).separate(i1);
  return {matmul, {a.buffer(), b.buffer(), c.buffer()}};
}

}  // namespace matmul_example
